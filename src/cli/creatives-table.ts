import type { ShownCreativeReview } from '../management/creative-reviews/schema.ts';
import type { ShownCreative } from '../management/creatives/schema.ts';
import { shown, shownLines } from './terminal-text.ts';
import { describeTable } from './text-table.ts';

const GAP = '  ';
const HEAD = ['CREATIVE', 'ADVERTISER', 'FORMAT', 'WINS', 'FIRST SEEN', 'LAST SEEN', 'STANDING'];
const REVIEWS_HEAD = ['VERDICT', 'WHAT', 'WHERE', 'BY', 'AT', 'REASON'];
/** Where numbers stand, which are read from the right. */
const RIGHT_ALIGNED: ReadonlySet<string> = new Set(['WINS']);
const DOMAINS_SHOWN = 2;

/** The creatives that were seen, a line for each. */
export function describeCreatives(creatives: readonly ShownCreative[]): string {
  const rows = creatives.map((creative) => [
    keyOf(creative),
    advertisersOf(creative.adomain),
    formatOf(creative),
    String(creative.wins),
    timeOf(creative.first_seen_at),
    timeOf(creative.last_seen_at),
    standingsOf(creative.places),
  ]);
  return describeTable(HEAD.map(columnOf), rows);
}

/** Everything that is known of one creative. */
export function describeCreative(creative: ShownCreative): string {
  const { adomain, places, markup, markup_bytes: bytes } = creative;
  const lines = [
    `Creative ${keyOf(creative)}`,
    `${GAP}advertiser   ${shown(adomain.join(', ')) || 'not said'}`,
    `${GAP}format       ${formatOf(creative)}`,
    `${GAP}seen         ${timeOf(creative.first_seen_at)} to ${timeOf(creative.last_seen_at)} (UTC)`,
    ...places.map(
      (place) =>
        `${GAP}publisher ${place.publisher_id}: ${place.wins} wins, ${place.pending} bids held back; ${standingOf(place)}`,
    ),
  ];
  if (markup === '') return [...lines, '', 'No markup was seen with it yet.'].join('\n');
  const cut = Buffer.byteLength(markup) < bytes ? ', of which this is the beginning' : '';
  return [...lines, '', `Markup (${bytes} bytes${cut}):`, shownLines(markup)].join('\n');
}

/** All decisions, a line for each. */
export function describeReviews(reviews: readonly ShownCreativeReview[]): string {
  const rows = reviews.map((review) => [
    review.verdict,
    subjectOf(review),
    review.publisher === null ? 'everywhere' : `publisher ${review.publisher}`,
    shown(review.by),
    timeOf(review.created_at),
    shown(review.reason),
  ]);
  return describeTable(REVIEWS_HEAD.map(columnOf), rows);
}

/** Partner and creative id, as `rialto creatives show` takes them. */
function keyOf({ demand_partner_id: partner, crid }: ShownCreative): string {
  return `${partner}/${shown(crid)}`;
}

function subjectOf({ crid, domain, demand_partner: partner }: ShownCreativeReview): string {
  if (crid !== null) return `${partner}/${shown(crid)}`;
  return partner === null ? (domain ?? '') : `${domain} of partner ${partner}`;
}

function advertisersOf(adomain: readonly string[]): string {
  const rest = adomain.length - DOMAINS_SHOWN;
  const domains = shown(adomain.slice(0, DOMAINS_SHOWN).join(', '));
  return rest > 0 ? `${domains} and ${rest} more` : domains || '–';
}

function formatOf({ ad_format: format, w, h }: ShownCreative): string {
  return w === 0 || h === 0 ? format : `${format} ${w}x${h}`;
}

/** To the second, in UTC. */
function timeOf(instant: string): string {
  return instant.slice(0, 19).replace('T', ' ');
}

/** What holds, each once: a creative is shown at many publishers. */
function standingsOf(places: readonly ShownCreative['places'][number][]): string {
  return [...new Set(places.map(standingOf))].join('; ');
}

function standingOf(place: ShownCreative['places'][number]): string {
  const { verdict, by, domain, reason, publisher_id: publisher } = place;
  const who = by === 'publisher' ? `publisher ${publisher}` : `the ${by}`;
  if (verdict === 'none') return '–';
  if (verdict === 'pending') return `waits for ${who}`;
  const what = domain === '' ? '' : ` as ${domain}`;
  const why = reason === '' ? '' : ` (${shown(reason)})`;
  return `${verdict} by ${who}${what}${why}`;
}

function columnOf(title: string) {
  return { title, alignsRight: RIGHT_ALIGNED.has(title) };
}
