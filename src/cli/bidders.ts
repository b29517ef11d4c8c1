import Type from 'typebox';
import { CommandError } from '../base/errors.ts';
import { ShownBidderSchema } from '../management/bidders/schema.ts';
import {
  ShownDemandPartnerSchema,
  type ShownDemandPartner,
} from '../management/demand-partners/schema.ts';
import { apiOf } from './api/local-access.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';
import { describeTable } from './text-table.ts';

const ALL = '10000';
const COLUMNS = [{ title: 'id' }, { title: 'name' }, { title: 'status' }, { title: 'calls' }];

/**
 * `rialto bidders`: who is called, and who is stopped since when and why.
 *
 * @returns the exit code.
 * @throws CommandError when control cannot be asked.
 */
export async function listBidders(asJson: boolean, place: CommandPlace): Promise<number> {
  const call = { method: 'GET', path: '/api/demand-partners/', query: [['limit', ALL]] } as const;
  const partners = await apiOf(place).ask(call, Type.Array(ShownDemandPartnerSchema));
  console.log(asJson ? showJson({ bidders: partners }) : describeBidders(partners));
  return 0;
}

/** `rialto bidders stop`: nobody calls the bidder any more, until it is started again. */
export async function stopBidder(
  id: string,
  { reason, asJson }: { readonly reason: string; readonly asJson: boolean },
  place: CommandPlace,
): Promise<number> {
  const body = { reason: reason.trim().replaceAll(/\s+/g, ' ') };
  return change({ id, verb: 'stop', done: 'stopped', body, asJson }, place);
}

/** `rialto bidders start`: the bidder is called again, as far as its status and health allow. */
export async function startBidder(
  id: string,
  asJson: boolean,
  place: CommandPlace,
): Promise<number> {
  return change({ id, verb: 'start', done: 'started', asJson }, place);
}

interface Change {
  readonly id: string;
  readonly verb: 'stop' | 'start';
  readonly done: string;
  readonly body?: object;
  readonly asJson: boolean;
}

async function change(
  { id, verb, done, body, asJson }: Change,
  place: CommandPlace,
): Promise<number> {
  if (!/^[1-9]\d{0,15}$/.test(id)) {
    throw new CommandError(`${id} is not the id of a demand partner; see rialto bidders.`, {
      exit: 'usage',
    });
  }
  const call = {
    method: 'POST',
    path: `/api/demand-partners/${id}/bidder/${verb}/`,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
  const bidder = await apiOf(place).ask(call, ShownBidderSchema);
  const text = `Demand partner ${id} is ${done}: all nodes take it within two seconds.`;
  console.log(asJson ? showJson(bidder) : text);
  return 0;
}

/** The bidders as a table, a line for each. */
function describeBidders(partners: readonly ShownDemandPartner[]): string {
  if (partners.length === 0) return 'There are no demand partners yet.';
  const rows = partners.map((partner) => [
    String(partner.id),
    partner.name,
    partner.status,
    describeCalls(partner),
  ]);
  const table = describeTable(COLUMNS, rows);
  return `${table}\n\nrialto get health shows how each does.`;
}

function describeCalls({ status, stopped }: ShownDemandPartner): string {
  if (stopped !== null) return `stopped since ${stopped.since.slice(0, 19)}Z: ${stopped.reason}`;
  return status === 'ACTIVE' ? 'yes' : `none: it is ${status}`;
}
