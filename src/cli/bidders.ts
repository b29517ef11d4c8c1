import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../base/errors.ts';
import { requireSettings, type StorePlace } from '../settings/settings.ts';
import type { StopOutcome } from '../configuration/stopped-bidders.ts';
import {
  BiddersAnswerSchema,
  listed,
  STOP_REASON_MAX,
  StopAnswerSchema,
  type ListedBidder,
} from '../control/bidders.ts';
import { findControl, type ControlClient } from '../commands/ask-control.ts';
import { createBidderService } from '../roles/bidder-service.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import { describeBidders } from './bidders-table.ts';
import { askServer } from './data-directory.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

/**
 * `rialto bidders`: who is called, and who is stopped since when and why.
 *
 * @returns the exit code.
 * @throws CommandError when neither control nor its store can be asked.
 */
export async function listBidders(asJson: boolean, place: CommandPlace): Promise<number> {
  const bidders = await withBidders(place, (service) => service.list());
  console.log(asJson ? showJson({ bidders }) : describeBidders(bidders));
  return 0;
}

/** `rialto bidders stop`: nobody calls the bidder any more, until it is started again. */
export async function stopBidder(
  id: string,
  { reason, asJson }: { readonly reason: string; readonly asJson: boolean },
  place: CommandPlace,
): Promise<number> {
  const words = reason.trim().replaceAll(/\s+/g, ' ');
  if (words.length > STOP_REASON_MAX) {
    throw new CommandError(`--reason is too long: give at most ${STOP_REASON_MAX} characters.`, {
      exit: 'usage',
    });
  }
  const demandPartner = readId(id);
  return change(place, demandPartner, {
    asJson,
    make: (service) => service.stop(demandPartner, words),
    done: `Demand partner ${demandPartner} is stopped`,
    already: `Demand partner ${demandPartner} was stopped already.`,
  });
}

/** `rialto bidders start`: the bidder is called again, as far as its status and health allow. */
export async function startBidder(
  id: string,
  asJson: boolean,
  place: CommandPlace,
): Promise<number> {
  const demandPartner = readId(id);
  return change(place, demandPartner, {
    asJson,
    make: (service) => service.start(demandPartner),
    done: `Demand partner ${demandPartner} is started`,
    already: `Demand partner ${demandPartner} was not stopped.`,
  });
}

/** What a command asks of control, or does itself where none runs. */
interface Bidders {
  /** False where nobody tells the nodes of a change before control runs again. */
  readonly isLive: boolean;
  list(): Promise<readonly ListedBidder[]>;
  stop(demandPartner: number, reason: string): Promise<StopOutcome>;
  start(demandPartner: number): Promise<StopOutcome>;
}

interface Change {
  readonly asJson: boolean;
  readonly make: (bidders: Bidders) => Promise<StopOutcome>;
  readonly done: string;
  readonly already: string;
}

async function change(
  place: CommandPlace,
  demandPartner: number,
  { asJson, make, done, already }: Change,
): Promise<number> {
  const [outcome, isLive] = await withBidders(
    place,
    async (bidders) => [await make(bidders), bidders.isLive] as const,
  );
  if (outcome === 'unknown_partner') {
    throw new CommandError(`There is no demand partner ${demandPartner}; see rialto bidders.`, {
      exit: 'not_found',
    });
  }
  const when = isLive
    ? 'all nodes take it within two seconds.'
    : 'no control runs here, so that nodes take it when it is started.';
  const text = outcome === 'changed' ? `${done}: ${when}` : already;
  const document = { demand_partner: demandPartner, outcome, live: isLive };
  console.log(asJson ? showJson(document) : text);
  return 0;
}

async function withBidders<Result>(
  { flags, environment }: CommandPlace,
  work: (bidders: Bidders) => Promise<Result>,
): Promise<Result> {
  const settings = requireSettings(flags, environment);
  const control = findControl(settings);
  return control === null ? inStore(settings, work) : work(askControl(control));
}

/** A store is not made here: a stop that is written where nobody reads would stop nothing. */
async function inStore<Result>(
  place: StorePlace,
  work: (bidders: Bidders) => Promise<Result>,
): Promise<Result> {
  const { dataDirectory, databaseUrl } = place;
  if (databaseUrl === null && !existsSync(join(dataDirectory, 'configuration.sqlite'))) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and it holds no configuration: name control's data ` +
        'directory with --data, or the control of another node with --internal-url. ' +
        askServer('GET /demand-partners/'),
      { exit: 'unreachable' },
    );
  }
  const db = await openConfigurationStore(place);
  try {
    const service = createBidderService(db, Date.now);
    return await work({
      isLive: false,
      list: async () => (await service.list()).map(listed),
      stop: (demandPartner, reason) => service.stop(demandPartner, reason),
      start: (demandPartner) => service.start(demandPartner),
    });
  } finally {
    await db.destroy();
  }
}

function askControl(control: ControlClient): Bidders {
  const ask = async (path: string, question: object): Promise<StopOutcome> => {
    const answer = await control.ask(path, question, StopAnswerSchema);
    return known(answer).outcome;
  };
  return {
    isLive: true,
    list: async () => {
      return known(await control.ask('/internal/bidders', {}, BiddersAnswerSchema)).bidders;
    },
    stop: (demand_partner, reason) => ask('/internal/bidders/stop', { demand_partner, reason }),
    start: (demand_partner) => ask('/internal/bidders/start', { demand_partner }),
  };
}

function known<Answer>(answer: Answer | null): Answer {
  if (answer !== null) return answer;
  throw new CommandError('Control is of a version that cannot stop bidders.', {
    exit: 'unreachable',
  });
}

function readId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new CommandError(`${text} is no demand partner; give its id, as rialto bidders shows it.`, {
    exit: 'usage',
  });
}
