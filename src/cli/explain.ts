import { CommandError } from '../base/errors.ts';
import { definedField } from '../base/fields.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/settings.ts';
import type { Missing } from '../control/explain.ts';
import { timeOfAuctionId } from '../events/auction-id.ts';
import { runExplain } from '../commands/explain.ts';
import { assertDataDirectory } from './data-directory.ts';
import { describeAuctionView } from './explain-text.ts';
import { showJson, shown } from './terminal-text.ts';

/** A record is in the store some seconds after its auction. */
const ARRIVES_WITHIN_MS = 60_000;

/** What of the command line is no setting. */
export interface ExplainArguments {
  readonly auctionId: string;
  /** Prints one JSON document instead of sentences. */
  readonly asJson: boolean;
}

/**
 * `rialto explain`: prints why an auction ended as it did, in sentences.
 *
 * @param flags the options given, by flag: `--partner` shows what that demand partner may see.
 * @returns the exit code.
 * @throws CommandError when nobody can be asked.
 */
export async function explainCommand(
  { auctionId, asJson }: ExplainArguments,
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const settings = requireSettings(flags, environment);
  const id = auctionId.toLowerCase();
  if (settings.internalUrls.length === 0) {
    assertDataDirectory(settings.dataDirectory, `GET /auctions/${id}/`);
  }
  const partnerId = readPartner(flags['--partner']);
  const answer = await runExplain(settings, {
    auction_id: id,
    ...definedField('demand_partner_id', partnerId),
  });
  const { auction } = answer;
  if (auction === null) {
    console.error(shown(describeMissing(answer.missing, id, partnerId)));
    return exitCodeOf('not_found');
  }
  console.log(asJson ? showJson(auction) : describeAuctionView(auction));
  return exitCodeOf('done');
}

function readPartner(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`--partner is ${text}; give the id of a demand partner.`, {
    exit: 'usage',
  });
}

function describeMissing(missing: Missing, auctionId: string, partnerId: number | null): string {
  if (missing === 'partner') return `There is no demand partner ${partnerId}, or it is archived.`;
  if (missing === 'part') {
    return `Demand partner ${partnerId} had no part in auction ${auctionId}: it was not asked.`;
  }
  const atMs = timeOfAuctionId(auctionId);
  const isRecent = atMs !== null && Math.abs(Date.now() - atMs) < ARRIVES_WITHIN_MS;
  const why = isRecent
    ? 'it may be on its way: try again in some seconds'
    : 'an id has 32 hexadecimal digits, and auctions are kept for two weeks';
  return `There is no auction ${auctionId}; ${why}.`;
}
