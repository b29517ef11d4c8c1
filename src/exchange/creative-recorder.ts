import { creativeIdOf } from '../auction/creative-id.ts';
import { adFormatOf } from '../auction/formats.ts';
import type { CreativeRecord } from '../events/trace-record.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { Redaction } from '../privacy/redaction.ts';
import type { CreativeLog } from './creative-log.ts';
import type { RecordSink } from './exchange.ts';
import type { DecidedAuction } from './decided-auction.ts';

/** Creatives of one publisher that are remembered; those that were told of longest ago go first. */
const CREATIVES_MAX = 10_000;
/** A creative that goes on winning is told of again after this. */
const TELL_AGAIN_MS = 5 * 60_000;
/** Lines of a sweep: what is left waits for the next auction. */
const SWEPT_MAX = 20;
const SAMPLE_BYTES_MAX = 4_096;
/** Samples of so long. */
const SAMPLES_MAX = 100;
const SAMPLES_PER_MS = 1_000;
const DOMAINS_MAX = 10;

export interface CreativeRecorderOptions {
  readonly trace: RecordSink;
  readonly creativesMax?: number;
  readonly tellAgainMs?: number;
}

/** A creative on the ad spaces of one publisher, and what was not told of it yet. */
interface Known {
  readonly demandPartnerId: number;
  readonly publisherId: number;
  readonly crid: string;
  /** What its last bid said. */
  adomain: string[];
  format: number;
  w: number;
  h: number;
  markupBytes: number;
  firstMs: number;
  lastMs: number;
  wins: number;
  pending: number;
  hasWon: boolean;
  /** When it is to be told of again, on the monotonic clock. */
  dueMs: number;
}

/**
 * Tells of a creative in the trace stream when it wins for the first time, as far as this process
 * remembers, and then every few minutes while it goes on winning, with the counts since. A win of a
 * known creative costs a look-up and two additions.
 *
 * What is told of moves to the end of the map, and everything waits equally long: the map is in the
 * order in which its creatives are due.
 */
export class CreativeRecorder implements CreativeLog {
  readonly #trace: RecordSink;
  readonly #creativesMax: number;
  readonly #tellAgainMs: number;
  readonly #known = new Map<string, Known>();
  /** Nothing is due before; on the monotonic clock. */
  #nextDueMs = Infinity;
  #samplesLeft = 0;
  /** When there are more of them again; on the monotonic clock. */
  #samplesUntilMs = -Infinity;

  constructor({ trace, creativesMax, tellAgainMs }: CreativeRecorderOptions) {
    this.#trace = trace;
    this.#creativesMax = creativesMax ?? CREATIVES_MAX;
    this.#tellAgainMs = tellAgainMs ?? TELL_AGAIN_MS;
  }

  note(auction: DecidedAuction): void {
    for (const { candidate } of auction.winners.values()) {
      const { bid, adm, demandPartnerId, format } = candidate;
      this.#count(auction, { bid, adm, demandPartnerId, format, isPending: false });
    }
    for (const { reason, submitted, refusal } of auction.bids) {
      if (reason !== LossReason.CreativePending || submitted === null || refusal === null) continue;
      const { bid, demandPartnerId } = submitted;
      const adm = bid.adm ?? null;
      const { format } = refusal;
      this.#count(auction, { bid, adm, demandPartnerId, format, isPending: true });
    }
    if (auction.startMs >= this.#nextDueMs) this.#sweep(auction.startMs);
  }

  /** Tells of everything that was not told yet: the process ends. */
  flush(): void {
    for (const known of this.#known.values()) if (isUntold(known)) this.#tell(known, '');
  }

  #count(auction: DecidedAuction, shown: Shown): void {
    const { startMs, atMs, slots } = auction;
    const { demandPartnerId, bid, adm } = shown;
    const publisherId = slots[0].space.publisher.id;
    const crid = creativeIdOf(bid, adm);
    const key = `${demandPartnerId} ${publisherId} ${crid}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      // A bidder may name a hundred new ones in each answer: no person reviews so many.
      if (shown.isPending && !this.#hasSamples(startMs)) return;
      if (this.#known.size >= this.#creativesMax) this.#forgetOldest();
      known = unseen({ demandPartnerId, publisherId, crid });
    }
    if (!isUntold(known)) known.firstMs = atMs;
    known.lastMs = Math.max(known.lastMs, atMs);
    if (shown.isPending) known.pending += 1;
    else known.wins += 1;
    const isFirstWin = !shown.isPending && !known.hasWon;
    if (isFirstWin) known.hasWon = true;
    else if (startMs < known.dueMs) return;
    describe(known, shown);
    this.#tellAgainLater(key, known, startMs);
    this.#tell(known, this.#takeSample(startMs) ? sampleOf(auction, shown) : '');
  }

  /** Samples are long, and a bidder may name a new creative in each bid. */
  #takeSample(nowMs: number): boolean {
    const has = this.#hasSamples(nowMs);
    this.#samplesLeft -= 1;
    return has;
  }

  #hasSamples(nowMs: number): boolean {
    if (nowMs >= this.#samplesUntilMs) {
      this.#samplesUntilMs = nowMs + SAMPLES_PER_MS;
      this.#samplesLeft = SAMPLES_MAX;
    }
    return this.#samplesLeft > 0;
  }

  #tellAgainLater(key: string, known: Known, nowMs: number): void {
    this.#known.delete(key);
    known.dueMs = nowMs + this.#tellAgainMs;
    this.#known.set(key, known);
    this.#nextDueMs = Math.min(this.#nextDueMs, known.dueMs);
  }

  #forgetOldest(): void {
    for (const [key, known] of this.#known) {
      if (isUntold(known)) this.#tell(known, '');
      this.#known.delete(key);
      return;
    }
  }

  /** Tells of creatives that have stopped winning, and forgets those that had stopped before. */
  #sweep(nowMs: number): void {
    let left = SWEPT_MAX;
    this.#nextDueMs = Infinity;
    for (const [key, known] of this.#known) {
      if (known.dueMs > nowMs || left === 0) {
        this.#nextDueMs = known.dueMs;
        return;
      }
      left -= 1;
      if (isUntold(known)) {
        this.#tellAgainLater(key, known, nowMs);
        this.#tell(known, '');
      } else this.#known.delete(key);
    }
  }

  #tell(known: Known, markup: string): void {
    const record: CreativeRecord = {
      kind: 'creative',
      at_ms: known.lastMs,
      first_ms: known.firstMs,
      demand_partner_id: known.demandPartnerId,
      publisher_id: known.publisherId,
      crid: known.crid,
      adomain: known.adomain,
      ad_format: adFormatOf(known.format),
      w: known.w,
      h: known.h,
      markup,
      markup_bytes: known.markupBytes,
      wins: known.wins,
      pending: known.pending,
    };
    known.wins = 0;
    known.pending = 0;
    this.#trace.append(JSON.stringify(record));
  }
}

/** A bid with its markup, as far as it is there, and what it is counted as. */
interface Shown {
  readonly bid: Bid;
  readonly adm: string | null;
  readonly demandPartnerId: number;
  readonly format: number;
  readonly isPending: boolean;
}

function unseen(creative: Pick<Known, 'demandPartnerId' | 'publisherId' | 'crid'>): Known {
  const undescribed = { adomain: [], format: 0, w: 0, h: 0, markupBytes: 0 };
  return {
    ...creative,
    ...undescribed,
    firstMs: 0,
    lastMs: 0,
    wins: 0,
    pending: 0,
    hasWon: false,
    dueMs: -Infinity,
  };
}

function isUntold({ wins, pending }: Known): boolean {
  return wins + pending > 0;
}

function describe(known: Known, { bid, adm, format }: Shown): void {
  known.adomain = (bid.adomain ?? []).slice(0, DOMAINS_MAX);
  known.format = format;
  known.w = bid.w ?? 0;
  known.h = bid.h ?? 0;
  known.markupBytes = adm === null ? 0 : Buffer.byteLength(adm);
}

const sampleBytes = Buffer.alloc(SAMPLE_BYTES_MAX);
const encoder = new TextEncoder();

/**
 * The beginning of the bid's own markup, in whole characters, without what the bid request may have
 * told of the person. It is a copy: a part of a text would keep the whole of it in memory.
 */
function sampleOf({ facts, request }: DecidedAuction, { adm }: Shown): string {
  if (adm === null) return '';
  const redaction = new Redaction();
  redaction.device(request.device);
  redaction.device({ ip: facts.device.ip });
  redaction.user(request.user);
  const { written } = encoder.encodeInto(redaction.text(adm, SAMPLE_BYTES_MAX), sampleBytes);
  return sampleBytes.toString('utf8', 0, written);
}
