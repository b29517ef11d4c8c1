import { boundedId } from '../auction/creative-id.ts';
import {
  standingOf,
  type CreativeReviews,
  type ReviewedCreative,
} from '../auction/creative-reviews.ts';
import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, textOf } from './cells.ts';
import {
  CREATIVES_LISTED_MAX,
  type CreativePlace,
  type CreativesAnswer,
  type CreativesQuestion,
  type SeenCreative,
} from './creatives-wire.ts';
import { QUERY_LIMITS } from './report.ts';

/** The most rows that are looked through, the last seen first: one per creative and publisher. */
const ROWS_MAX = 20_000;

/**
 * The creatives that were seen in the last 90 days, those seen last first, and where each stands on
 * the ad spaces where it was.
 */
export async function readCreatives(
  store: AnalyticsStore,
  question: CreativesQuestion,
  reviews: CreativeReviews,
): Promise<CreativesAnswer> {
  const { limit = CREATIVES_LISTED_MAX } = question;
  const { creatives, total, isAll } = await listCreatives(
    store,
    { ...question, limit, offset: 0 },
    reviews,
  );
  return { creatives, more: total > limit || !isAll };
}

/** A part of the creatives that were seen. */
export interface CreativesPage {
  readonly creatives: SeenCreative[];
  /** How many there are in all, or were looked through. */
  readonly total: number;
  /** False if there are more than are looked through. */
  readonly isAll: boolean;
}

type PageQuestion = CreativesQuestion & { readonly limit: number; readonly offset: number };

/** As `readCreatives`, of any part of the list. */
export async function listCreatives(
  store: AnalyticsStore,
  { limit, offset, ...question }: PageQuestion,
  reviews: CreativeReviews,
): Promise<CreativesPage> {
  const { pending = false } = question;
  const rows = await readRows(store, question);
  const creatives = new Map<string, SeenCreative>();
  for (const row of rows) {
    const crid = textOf(row, 'crid');
    const key = `${textOf(row, 'demand_partner_id')} ${crid}`;
    const known = creatives.get(key);
    // The rows come in order of time, so that the first says what the creative looks like now.
    const creative = known ?? describe(row);
    if (known === undefined) creatives.set(key, creative);
    addPlace(creative, row, reviews);
  }
  const wanted = [...creatives.values()].filter(
    ({ places }) => !pending || places.some(({ verdict }) => verdict === 'pending'),
  );
  return {
    creatives: wanted.slice(offset, offset + limit),
    total: wanted.length,
    isAll: rows.length < ROWS_MAX,
  };
}

async function readRows(store: AnalyticsStore, question: CreativesQuestion): Promise<StoreRow[]> {
  const { demand_partner: partner, publisher, crid, markup = false } = question;
  const conditions = [
    ...(partner === undefined ? [] : ['demand_partner_id = {partner:UInt64}']),
    ...(publisher === undefined ? [] : ['publisher_id = {publisher:UInt64}']),
    ...(crid === undefined ? [] : ['crid = {crid:String}']),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return store.query(
    `SELECT demand_partner_id, publisher_id, crid,
       toString(min(first_ms)) AS first_seen, toString(max(last_ms)) AS last_seen,
       toString(sum(wins)) AS all_wins, toString(sum(pending)) AS all_pending,
       argMaxMerge(latest) AS look,
       look.adomain AS adomain, look.ad_format AS ad_format, look.w AS w, look.h AS h,
       look.markup_bytes AS markup_bytes,
       ${markup ? 'argMaxIfMerge(markup)' : "''"} AS sample
     FROM creatives ${where}
     GROUP BY demand_partner_id, publisher_id, crid
     ORDER BY max(last_ms) DESC, demand_partner_id, crid, publisher_id
     LIMIT ${ROWS_MAX} ${QUERY_LIMITS}`,
    {
      ...(partner === undefined ? {} : { partner }),
      ...(publisher === undefined ? {} : { publisher }),
      ...(crid === undefined ? {} : { crid: boundedId(crid) }),
    },
  );
}

function describe(row: StoreRow): SeenCreative {
  const adomain: unknown = row['adomain'];
  return {
    demand_partner_id: countOf(row, 'demand_partner_id'),
    crid: textOf(row, 'crid'),
    adomain: Array.isArray(adomain) ? adomain.map(String) : [],
    ad_format: textOf(row, 'ad_format'),
    w: countOf(row, 'w'),
    h: countOf(row, 'h'),
    markup_bytes: countOf(row, 'markup_bytes'),
    markup: '',
    first_seen_ms: countOf(row, 'first_seen'),
    last_seen_ms: countOf(row, 'last_seen'),
    wins: 0,
    pending: 0,
    places: [],
  };
}

function addPlace(creative: SeenCreative, row: StoreRow, reviews: CreativeReviews): void {
  const publisherId = countOf(row, 'publisher_id');
  const place: CreativePlace = {
    publisher_id: publisherId,
    first_seen_ms: countOf(row, 'first_seen'),
    last_seen_ms: countOf(row, 'last_seen'),
    wins: countOf(row, 'all_wins'),
    pending: countOf(row, 'all_pending'),
    ...verdictOf(creative, publisherId, reviews),
  };
  creative.first_seen_ms = Math.min(creative.first_seen_ms, place.first_seen_ms);
  creative.wins += place.wins;
  creative.pending += place.pending;
  if (creative.markup === '') creative.markup = textOf(row, 'sample');
  creative.places.push(place);
}

function verdictOf(
  creative: SeenCreative,
  publisherId: number,
  reviews: CreativeReviews,
): Pick<CreativePlace, 'verdict' | 'by' | 'domain' | 'reason'> {
  const rules = reviews.rulesFor(publisherId);
  if (rules === null) return { verdict: 'none', by: '', domain: '', reason: '' };
  const { demand_partner_id: demandPartnerId, crid: id, adomain } = creative;
  const reviewed: ReviewedCreative = { demandPartnerId, id, adomain };
  const { verdict, by, found } = standingOf(reviewed, rules);
  const domain = found?.domain === null || found === null ? '' : found.review.value;
  return { verdict, by: by ?? '', domain, reason: found?.review.reason ?? '' };
}
