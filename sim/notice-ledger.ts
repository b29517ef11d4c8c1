/** What an exchange tells a bidder after the auction; `impression` is the pixel in the markup. */
export const NOTICE_KINDS = ['win', 'billing', 'loss', 'impression'] as const;

/** One of the notices that a bidder receives. */
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** One notice, however often it came: a caller that has no answer repeats it under the same id. */
export interface NoticeEntry {
  /** Of the header `x-notice-id`. */
  readonly id: string;
  readonly kind: NoticeKind;
  /** The bidder's own id of the bid, from its address. */
  readonly bidId: string;
  /** `${AUCTION_ID}` and `${AUCTION_IMP_ID}`. */
  readonly auctionId: string;
  readonly impId: string;
  /** `${AUCTION_PRICE}` in micro-dollars CPM; null where it was empty. */
  readonly priceMicros: number | null;
  /** How often it came, with those that met a fault. */
  arrivals: number;
  /** How often an answer with status 2xx went out whole. */
  acknowledged: number;
  /** How often it came with another address than the first time: the id was used for two. */
  conflicts: number;
}

/** The notices of one kind together; every id counts once. */
export interface NoticeSum {
  readonly notices: number;
  /** Bids that they are about. Fewer than notices when a bid was told of under two ids. */
  readonly bids: number;
  /** Notices that were acknowledged at least once. */
  readonly acknowledged: number;
  /** Arrivals beyond the first of each. */
  readonly repeats: number;
  readonly conflicts: number;
  /** Of the prices told, in micro-dollars CPM. */
  readonly priceMicros: number;
}

/** How many ids are remembered by default; the oldest go first. */
const KEEP_MAX = 500_000;

/** A bidder's own account of the notices that it got, by their ids. */
export class NoticeLedger {
  /** Notices of an auction's end without an id, which therefore are not in the account. */
  withoutId = 0;
  /** Ids that had to make room. What they told is missing from the sums. */
  forgotten = 0;
  readonly #keepMax: number;
  readonly #entries = new Map<string, { readonly entry: NoticeEntry; readonly path: string }>();

  constructor(keepMax = KEEP_MAX) {
    this.#keepMax = keepMax;
  }

  /** Takes an arrival; the entry of its id, or undefined when it has none. */
  arrived(kind: NoticeKind, id: string | undefined, url: URL): NoticeEntry | undefined {
    if (id === undefined || id === '') {
      // The pixel in the markup is loaded by the page, which has no ids.
      if (kind !== 'impression') this.withoutId += 1;
      return undefined;
    }
    const path = `${url.pathname}${url.search}`;
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.entry.arrivals += 1;
      if (known.path !== path) known.entry.conflicts += 1;
      return known.entry;
    }
    const entry = entryOf(kind, id, url.searchParams);
    this.#entries.set(id, { entry, path });
    this.#makeRoom();
    return entry;
  }

  /** All that is remembered, or those of one kind; in the order in which they first came. */
  entries(kind?: NoticeKind): readonly Readonly<NoticeEntry>[] {
    const all = Array.from(this.#entries.values(), ({ entry }) => entry);
    return kind === undefined ? all : all.filter((entry) => entry.kind === kind);
  }

  sum(kind: NoticeKind): NoticeSum {
    const entries = this.entries(kind);
    const total = (of: (entry: NoticeEntry) => number): number =>
      entries.reduce((sum, entry) => sum + of(entry), 0);
    return {
      notices: entries.length,
      bids: new Set(entries.map(({ bidId }) => bidId)).size,
      acknowledged: entries.filter(({ acknowledged }) => acknowledged > 0).length,
      repeats: total(({ arrivals }) => arrivals - 1),
      conflicts: total(({ conflicts }) => conflicts),
      priceMicros: total(({ priceMicros }) => priceMicros ?? 0),
    };
  }

  #makeRoom(): void {
    const oldest = this.#entries.size > this.#keepMax ? this.#entries.keys().next() : undefined;
    if (oldest === undefined || oldest.done === true) return;
    this.#entries.delete(oldest.value);
    this.forgotten += 1;
  }
}

function entryOf(kind: NoticeKind, id: string, query: URLSearchParams): NoticeEntry {
  return {
    id,
    kind,
    bidId: query.get('bid') ?? '',
    auctionId: query.get('auction') ?? '',
    impId: query.get('imp') ?? '',
    priceMicros: microsOf(query.get('price') ?? ''),
    arrivals: 1,
    acknowledged: 0,
    conflicts: 0,
  };
}

/** Prices have six decimals at most, so that the nearest whole number of micros is the one told. */
function microsOf(dollars: string): number | null {
  return dollars === '' ? null : Math.round(Number(dollars) * 1_000_000);
}
