import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { timeOfAuctionId } from '../events/auction-id.ts';
import { AuctionViewSchema } from '../management/auctions/schema.ts';
import { apiOf } from './api/local-access.ts';
import { describeAuctionView } from './explain-text.ts';
import type { CommandPlace } from './program-tools.ts';
import { showJson } from './terminal-text.ts';

/** A record is in the store some seconds after its auction. */
const ARRIVES_WITHIN_MS = 60_000;

/** What of the command line is no setting. */
export interface ExplainArguments {
  readonly auctionId: string;
  /** Shows what this demand partner may see. */
  readonly partner: string | undefined;
  /** Prints one JSON document instead of sentences. */
  readonly asJson: boolean;
}

/**
 * `rialto explain`: prints why an auction ended as it did, in sentences.
 *
 * @returns the exit code.
 * @throws CommandError when nobody can be asked, or there is no such auction.
 */
export async function explainCommand(
  { auctionId, partner, asJson }: ExplainArguments,
  place: CommandPlace,
): Promise<number> {
  if (partner !== undefined && !/^[1-9]\d{0,14}$/.test(partner)) {
    throw new CommandError(`--partner is ${partner}; give the id of a demand partner.`, {
      exit: 'usage',
    });
  }
  const id = auctionId.toLowerCase();
  const call = {
    method: 'GET',
    path: `/api/auctions/${encodeURIComponent(id)}/`,
    query: partner === undefined ? [] : ([['demand_partner_id', partner]] as const),
  };
  const auction = await apiOf(place).find(call, AuctionViewSchema);
  if (auction === null) {
    throw new CommandError(describeMissing(id, partner), { exit: 'not_found' });
  }
  console.log(asJson ? showJson(auction) : describeAuctionView(auction));
  return exitCodeOf('done');
}

function describeMissing(auctionId: string, partner: string | undefined): string {
  const atMs = timeOfAuctionId(auctionId);
  const isRecent = atMs !== null && Math.abs(Date.now() - atMs) < ARRIVES_WITHIN_MS;
  const why = isRecent
    ? 'it may be on its way: try again in some seconds'
    : 'an id has 32 hexadecimal digits, and auctions are kept for two weeks';
  const part = partner === undefined ? '' : `, or demand partner ${partner} had no part in it`;
  return `There is no auction ${auctionId}${part}; ${why}.`;
}
