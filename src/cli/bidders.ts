import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '../base/errors.ts';
import { readSettings } from '../config/settings.ts';
import type { StopOutcome } from '../configuration/stopped-bidders.ts';
import {
  BiddersAnswerSchema,
  listed,
  STOP_REASON_MAX,
  StopAnswerSchema,
  type ListedBidder,
} from '../control/bidders.ts';
import { findControl, type ControlClient, type ControlPlace } from '../roles/ask-control.ts';
import { createBidderDesk } from '../roles/bidder-desk.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import { describeBidders } from './bidders-table.ts';

type Flags = Readonly<Record<string, string | undefined>>;

/** Where control is found. */
export interface CommandPlace {
  readonly flags: Flags;
  readonly environment: Flags;
}

/**
 * `rialto bidders`: who is called, and who is stopped since when and why.
 *
 * @returns the exit code.
 * @throws CommandError when neither control nor its store can be asked.
 */
export async function listBidders(asJson: boolean, place: CommandPlace): Promise<number> {
  const bidders = await withBidders(place, (desk) => desk.list());
  console.log(asJson ? JSON.stringify({ bidders }, null, 2) : describeBidders(bidders));
  return 0;
}

/** `rialto bidders stop`: nobody calls the bidder any more, until it is started again. */
export async function stopBidder(id: string, reason: string, place: CommandPlace): Promise<number> {
  const words = reason.trim().replaceAll(/\s+/g, ' ');
  if (words.length > STOP_REASON_MAX) {
    throw new CommandError(`--reason is too long: give at most ${STOP_REASON_MAX} characters.`);
  }
  const demandPartner = readId(id);
  return change(place, demandPartner, {
    make: (desk) => desk.stop(demandPartner, words),
    done: `Demand partner ${demandPartner} is stopped`,
    already: `Demand partner ${demandPartner} was stopped already.`,
  });
}

/** `rialto bidders start`: the bidder is called again, as far as its status and health allow. */
export async function startBidder(id: string, place: CommandPlace): Promise<number> {
  const demandPartner = readId(id);
  return change(place, demandPartner, {
    make: (desk) => desk.start(demandPartner),
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
  readonly make: (bidders: Bidders) => Promise<StopOutcome>;
  readonly done: string;
  readonly already: string;
}

async function change(
  place: CommandPlace,
  demandPartner: number,
  { make, done, already }: Change,
): Promise<number> {
  const [outcome, isLive] = await withBidders(
    place,
    async (bidders) => [await make(bidders), bidders.isLive] as const,
  );
  if (outcome === 'unknown_partner') {
    throw new CommandError(`There is no demand partner ${demandPartner}; see rialto bidders.`);
  }
  const when = isLive
    ? 'all nodes take it within two seconds.'
    : 'no control runs here, so that nodes take it when it is started.';
  console.log(outcome === 'changed' ? `${done}: ${when}` : already);
  return 0;
}

async function withBidders<Result>(
  { flags, environment }: CommandPlace,
  work: (bidders: Bidders) => Promise<Result>,
): Promise<Result> {
  const read = readSettings(flags, environment);
  if (!read.ok) throw new CommandError(read.problems.join('\n'));
  const control = findControl(read.settings);
  return control === null ? inStore(read.settings, work) : work(askControl(control));
}

/** A store is not made here: a stop that is written where nobody reads would stop nothing. */
async function inStore<Result>(
  { dataDirectory }: ControlPlace,
  work: (bidders: Bidders) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(dataDirectory, 'configuration.sqlite'))) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and it holds no configuration: name control's data ` +
        'directory with --data, or the control of another node with --internal-url.',
    );
  }
  const db = await openConfigurationStore(dataDirectory);
  try {
    const desk = createBidderDesk(db, Date.now);
    return await work({
      isLive: false,
      list: async () => (await desk.list()).map(listed),
      stop: (demandPartner, reason) => desk.stop(demandPartner, reason),
      start: (demandPartner) => desk.start(demandPartner),
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
  throw new CommandError('Control is of a version that cannot stop bidders.');
}

function readId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new CommandError(`${text} is no demand partner; give its id, as rialto bidders shows it.`);
}
