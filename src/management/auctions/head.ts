import type { AuctionRecord } from '../../events/auction-record.ts';
import { versionKey, type Snapshot } from '../../snapshot/snapshot.ts';
import type { AuctionParts } from './parts.ts';
import type { OperatorAuction, PartnerAuction } from './schema.ts';
import { timeOf } from './wording.ts';

/** What an auction is explained with. */
export interface Surroundings {
  /** The configuration as it is now. */
  readonly snapshot: Snapshot;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
}

/** What every reader is told of an auction before its parts. */
type Head = Pick<
  PartnerAuction,
  'id' | 'at' | 'test' | 'publisher_decides' | 'place' | 'configuration' | 'trace'
>;

/** Of the place what every bid request says: it names publisher, app or site by their ids. */
export function headOf(auction: AuctionRecord, parts: AuctionParts, snapshot: Snapshot): Head {
  return {
    id: parts.id,
    at: timeOf(parts.atMs),
    test: parts.isTest,
    publisher_decides: parts.publisherDecides,
    place: {
      publisher_id: auction.publisher_id,
      property_id: auction.property_id,
      app_bundle: auction.app_bundle,
      app_site_domain: auction.app_site_domain,
      categories: [...auction.categories],
    },
    configuration: describeConfiguration(auction.snapshot, versionKey(snapshot.version)),
    trace: { is_kept: parts.hasTrace, sentence: parts.hasTrace ? TRACED : NOT_TRACED },
  };
}

function describeConfiguration(version: string, presentVersion: string): Head['configuration'] {
  const isPresent = version === presentVersion;
  return {
    version,
    present_version: presentVersion,
    is_present: isPresent,
    sentence: isPresent
      ? `The configuration has not changed since the auction: it is ${version}.`
      : `The configuration has changed since the auction, from ${version} to ${presentVersion}: names, ` +
        'and why partners or line items were left out, follow the present one.',
  };
}

const TRACED = 'The details of this auction were kept.';
const NOT_TRACED =
  'The details of this auction are not there: they are kept for a week, of every auction with a ' +
  'winner and of a share of the others, and arrive some seconds after the auction. This is what its ' +
  'record alone tells.';

export function viewAudience(auction: AuctionRecord): OperatorAuction['audience'] {
  return {
    country: auction.country_code,
    platform: auction.platform_demand,
    os: auction.os,
    language: auction.language,
    connectiontype: auction.connectiontype,
    has_location: auction.has_location === 1,
  };
}
