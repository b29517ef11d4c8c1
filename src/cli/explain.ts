import { existsSync } from 'node:fs';

import { CommandError } from '../base/errors.ts';
import { definedField } from '../base/fields.ts';
import { readSettings } from '../config/settings.ts';
import type { Missing } from '../control/explain.ts';
import { timeOfAuctionId } from '../events/auction-id.ts';
import { runExplain } from '../roles/explain.ts';
import { describeAuctionView } from './explain-text.ts';

/** There is no such auction. */
const EXIT_NOT_FOUND = 1;
/** The command was not understood, or nobody could be asked. */
const EXIT_NOT_ASKED = 2;

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
 * @returns the exit code: 0, 1 where there is no such auction, 2 where nobody could be asked.
 */
export async function explainCommand(
  { auctionId, asJson }: ExplainArguments,
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const read = readSettings(flags, environment);
    if (!read.ok) throw new CommandError(read.problems.join('\n'));
    const { dataDirectory, internalUrl, internalSecret } = read.settings;
    if (internalUrl === null && !existsSync(dataDirectory)) {
      throw new CommandError(`There is no data directory ${dataDirectory}; name it with --data.`);
    }
    const partnerId = readPartner(flags['--partner']);
    const answer = await runExplain(
      { dataDirectory, internalUrl, internalSecret },
      { auction_id: auctionId.toLowerCase(), ...definedField('demand_partner_id', partnerId) },
    );
    const { auction } = answer;
    if (auction === null) {
      const { missing } = answer;
      console.error(describeMissing(missing, auctionId.toLowerCase(), partnerId));
      return EXIT_NOT_FOUND;
    }
    console.log(asJson ? JSON.stringify(auction, null, 2) : describeAuctionView(auction));
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    return EXIT_NOT_ASKED;
  }
}

function readPartner(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`--partner is ${text}; give the id of a demand partner.`);
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
