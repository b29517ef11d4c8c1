import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { Backoff, jittered, type BackoffLimits } from '../base/backoff.ts';
import type { GivenUp } from '../ports/batch-wire.ts';
import { BATCH_BYTES_MAX, type BatchManifest, type BatchStream } from '../ports/batch.ts';
import { BatchBuffer, type FilledBatch, type SegmentFile } from './batch-buffer.ts';
import type { ControlClient } from './control-client.ts';
import { SyncFailure } from './durable-file.ts';
import { marksOf, passOver, planRepair, readLeft } from './given-up.ts';
import { JournalNews } from './journal-news.ts';
import type { JournalSegments, WaitingSegment } from './journal-segments.ts';
import { rememberLine, seriesOf } from './last-lines.ts';
import { askPresent, offerBatch, OfferFailed, type Settled } from './offer-batch.ts';
import { adoptConflict, isBehind } from './shipping-conflict.ts';
import {
  beginAgain,
  readShippingState,
  writeShippingState,
  type ShippingState,
} from './shipping-state.ts';

/** How fast a shipper works. */
export interface ShippingPace {
  /** What has come together in this time goes out as one batch, unless it fills one before. */
  readonly batchAfterMs: number;
  /** How often the journal is looked at while nothing is under way. */
  readonly lookMs: number;
  /** How often it is looked at while nothing waits there, and nothing is told of it. */
  readonly idleMs: number;
  /** The waits between offers that fail. */
  readonly retry: BackoffLimits;
}

const PACE: ShippingPace = {
  batchAfterMs: 1_000,
  lookMs: 200,
  idleMs: 2_000,
  retry: { firstMs: 100, lastMs: 5_000 },
};

/** What only a person can decide about. */
const SET_BACK =
  'control has less than it had acknowledged: a store was set back; if so, run rialto reoffer';

export interface ShipperOptions {
  readonly stream: BatchStream;
  readonly dataDirectory: string;
  readonly journalDirectory: string;
  readonly incarnation: string;
  readonly segments: JournalSegments;
  readonly control: Pick<ControlClient, 'post'>;
  /** Of the journal's growth; by default nobody tells of it. */
  readonly news?: JournalNews;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Whether somebody else has so much to ship that this one has to wait; nobody by default. */
  readonly givesWay?: () => boolean;
  /** For tests, which hand in a broken disk. */
  readonly openSegment?: (path: string) => Promise<SegmentFile>;
  readonly pace?: ShippingPace;
}

/** What shipping has come to since this process began. */
export interface ShippingFigures {
  readonly backlogBytes: number;
  readonly backlogSeconds: number;
  readonly loaded: number;
  readonly already: number;
  readonly quarantined: number;
  readonly conflicts: number;
  readonly retries: number;
  readonly shippedBytes: number;
  /** Records that were lost to damage of the journal. */
  readonly missingRecords: number;
}

/**
 * Carries one stream of the node's journal to control: one batch at a time, its manifest on
 * disk before it is offered, offered again with the same bytes until control has answered, and the
 * next one from where it ended. Killed at any moment it goes on from its disk; should control know
 * better how far a segment has come, control is right. Lines that are damaged are offered apart from
 * the others, which go on.
 *
 * Traces that were removed before they were shipped, for want of room, are passed over.
 */
export class Shipper {
  readonly #options: ShipperOptions;
  readonly #buffer: BatchBuffer;
  readonly #pace: ShippingPace;
  readonly #news: JournalNews;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  readonly #counts = {
    loaded: 0,
    already: 0,
    quarantined: 0,
    conflicts: 0,
    retries: 0,
    bytes: 0,
    missing: 0,
  };
  #state: ShippingState;
  /** What the disk does not know yet of the state. */
  #unwritten = false;
  #writing: Promise<void> = Promise.resolve();
  /** The batch in the buffer; the state names it as well. */
  #batch: FilledBatch | null = null;
  #lastBatchMs = -Infinity;
  #failing = false;
  #behind = false;
  /** The same, of segments that are not offered any more. */
  #lacking = false;
  /** The last of control's requests for the whole journal. */
  #askedAt = 0;
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  private constructor(options: ShipperOptions, state: ShippingState) {
    this.#options = options;
    this.#pace = options.pace ?? PACE;
    this.#news = options.news ?? new JournalNews();
    this.#backoff = new Backoff(this.#pace.retry);
    this.#state = state;
    this.#buffer = new BatchBuffer({
      directory: options.journalDirectory,
      incarnation: options.incarnation,
      stream: options.stream,
      ...(options.openSegment === undefined ? {} : { openSegment: options.openSegment }),
    });
  }

  /** Takes up what the last courier of this node left. */
  static async open(options: ShipperOptions): Promise<Shipper> {
    const { dataDirectory, stream, logger } = options;
    const state = await readShippingState(dataDirectory, stream, logger);
    return new Shipper(options, state);
  }

  /** How far each segment has been acknowledged. */
  get acknowledged(): ShippingState['acknowledged'] {
    return this.#state.acknowledged;
  }

  /** Up to which of control's requests for the whole journal `acknowledged` counts. */
  get reofferedAt(): number {
    return this.#state.reofferedAt;
  }

  /** As control said last: its analytics store is not the one that was loaded into. */
  storeIsStrange = false;
  /** Control has less than it has acknowledged: what it acknowledged must not be removed. */
  get controlIsBehind(): boolean {
    return this.#behind || this.#lacking || this.storeIsStrange;
  }

  /** More waits than one batch takes. */
  get hasBacklog(): boolean {
    return this.#waitingBytes > BATCH_BYTES_MAX;
  }

  /**
   * Ships until `stop`.
   *
   * @throws SyncFailure: the first one ends the process. Every other failure is waited out.
   */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Lets go of what is under way; the next start goes on with it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async figures(): Promise<ShippingFigures> {
    const waiting = await this.#waiting();
    const { loaded, already, quarantined, conflicts, retries, bytes, missing } = this.#counts;
    const oldestMs = this.#batch?.oldestMs ?? null;
    return {
      backlogBytes: waiting.reduce((sum, segment) => sum + segment.bytes, 0),
      backlogSeconds: oldestMs === null ? 0 : Math.max(0, this.#options.now() - oldestMs) / 1000,
      loaded,
      already,
      quarantined,
      conflicts,
      retries,
      shippedBytes: bytes,
      missingRecords: missing,
    };
  }

  /**
   * Segments that were written to until this Unix time in milliseconds are about to be removed: from
   * an earlier time on nobody may take the journal for whole any more, which is on the disk first.
   *
   * @throws SyncFailure, or the system's error when it cannot be written; nothing may be removed then
   */
  async trims(untilMs: number): Promise<void> {
    if (untilMs <= this.#state.trimmedMs) return;
    this.#state.trimmedMs = Math.ceil(untilMs);
    await this.#write();
  }

  /** The segment has been removed from the disk. */
  removed(segment: string): void {
    const { acknowledged, inFlight, again } = this.#state;
    again.delete(segment);
    if (!acknowledged.delete(segment) && !isIn(inFlight, segment)) return;
    const series = seriesOf(segment);
    if (![...acknowledged.keys()].some((each) => seriesOf(each) === series)) {
      this.#state.lastLines.delete(series);
    }
    this.#state.gone.add(segment);
    this.#unwritten = true;
  }

  /** Removed segments of which control can be told; of those in the buffer it hears once more. */
  get gone(): ReadonlySet<string> {
    const manifest = this.#batch?.manifest ?? null;
    return new Set([...this.#state.gone].filter((segment) => !isIn(manifest, segment)));
  }

  /**
   * Control asked for the whole journal, also for what it had acknowledged: its store has lost it, or may
   * have. What was asked for before is not offered once more.
   *
   * @param askedAt of `StatusAnswer`.
   */
  reoffer(askedAt: number): void {
    this.#askedAt = Math.max(this.#askedAt, askedAt);
  }

  /** Control has said that it knows less than it had acknowledged. */
  lacking(): void {
    if (!this.#lacking) {
      this.#counts.conflicts += 1;
      this.#options.logger.error(SET_BACK);
    }
    this.#lacking = true;
  }

  /** Control has been told of these removed segments. */
  forget(segments: readonly string[]): void {
    for (const segment of segments) this.#state.gone.delete(segment);
    this.#unwritten ||= segments.length > 0;
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const seen = this.#news.count;
      try {
        const shipped = await this.#shipNext();
        if (this.#failing) logger.info('shipping works again');
        this.#failing = false;
        this.#backoff.reset();
        if (!shipped) await this.#rest(seen);
      } catch (error) {
        if (error instanceof SyncFailure) throw error;
        if (this.#stopping.signal.aborted) return;
        await this.#pause(this.#failed(error));
      }
    }
  }

  /** Until there may be something to ship. */
  async #rest(seen: number): Promise<void> {
    const { lookMs, idleMs } = this.#pace;
    await this.#pause(lookMs);
    if (this.#waitingBytes === 0) await this.#news.after(seen, idleMs, this.#stopping.signal);
  }

  /**
   * Offers the batch in flight, or the next one.
   *
   * @returns false when there is nothing to ship now.
   * @throws when the batch has to be offered again
   */
  async #shipNext(): Promise<boolean> {
    if (this.#options.givesWay?.() === true) return false;
    if (this.#askedAt > this.#state.reofferedAt) this.#beginAgain();
    this.#batch ??= (await this.#restore()) ?? (await this.#gather());
    // While batch follows batch, the end of one and the manifest of the next are one write.
    if (this.#unwritten) await this.#write();
    if (this.#batch === null) return false;
    const { manifest } = this.#batch;
    const body = this.#buffer.body(manifest);
    const { control, stream } = this.#options;
    const answer = await offerBatch(control, stream, body);
    this.#settle(answer, this.#batch);
    this.#counts.bytes += body.length;
    return true;
  }

  /** The batch that was in flight when this process, or the one before it, lost it. */
  async #restore(): Promise<FilledBatch | null> {
    const { inFlight } = this.#state;
    if (inFlight === null) return null;
    const batch = await this.#buffer.restore(inFlight);
    return batch ?? this.#giveUp(inFlight);
  }

  /**
   * The batch that takes the place of one that cannot be made again, once control has looked which of
   * its records are loaded: these are left out, and so is what is damaged.
   *
   * @throws when control has to be asked again
   */
  async #giveUp(lost: BatchManifest): Promise<FilledBatch> {
    const { journalDirectory, control, logger, stream } = this.#options;
    const left = await readLeft(journalDirectory, lost);
    const question: GivenUp = { manifest: lost, marks: marksOf(left) };
    const present = await askPresent(control, question);
    const plan = planRepair(left, new Set(present), this.#state.lastLines);
    const batch = await this.#buffer.repair(lost, stream === 'money' ? plan : plan.map(passOver));
    for (const { range, isGone } of left) if (isGone) this.#state.gone.add(range.segment);
    const details = {
      segments: lost.segments,
      readable: question.marks.length,
      loaded: present.length,
    };
    const message = 'the batch in flight cannot be made again and is given up';
    if (stream === 'money') logger.error(details, message);
    else logger.info(details, message);
    this.#tellDamage(batch.manifest);
    this.#state.inFlight = batch.manifest;
    this.#unwritten = true;
    return batch;
  }

  #beginAgain(): void {
    const { segments, stream, logger } = this.#options;
    logger.warn('control has asked for the whole journal again');
    this.#state = beginAgain(this.#state, this.#askedAt);
    segments.beginAgain(stream);
    this.#batch = null;
    this.#behind = false;
    this.#lacking = false;
    this.#counts.conflicts = 0;
    this.#unwritten = true;
  }

  async #waiting(): Promise<readonly WaitingSegment[]> {
    const { segments, stream } = this.#options;
    const waiting = await segments.waiting(this.acknowledged, stream);
    this.#waitingBytes = waiting.reduce((sum, segment) => sum + segment.bytes, 0);
    return waiting;
  }

  async #gather(): Promise<FilledBatch | null> {
    const waiting = await this.#waiting();
    const bytes = this.#waitingBytes;
    const nowMs = performance.now();
    const due = bytes >= BATCH_BYTES_MAX || nowMs - this.#lastBatchMs >= this.#pace.batchAfterMs;
    if (bytes === 0 || !due) return null;
    const filled = await this.#buffer.gather(waiting, this.#state.lastLines);
    if (filled === null) return null;
    const { again } = this.#state;
    const mayBeThere = filled.manifest.segments.some(
      ({ segment, start }) => start < (again.get(segment) ?? 0),
    );
    const { manifest } = filled;
    const batch = mayBeThere
      ? { ...filled, manifest: { ...manifest, again: true as const } }
      : filled;
    this.#tellDamage(manifest);
    this.#lastBatchMs = nowMs;
    this.#state.inFlight = batch.manifest;
    this.#unwritten = true;
    return batch;
  }

  #tellDamage({ segments }: BatchManifest): void {
    for (const { segment, damaged = [] } of segments) {
      for (const { start, end, missing } of damaged) {
        this.#options.logger.error(
          { segment, start, end, missing },
          'the journal is damaged: what can be read there goes into quarantine',
        );
      }
    }
  }

  /** @throws when control has to be asked again, with this batch or another one */
  #settle(answer: Settled, { manifest }: FilledBatch): void {
    const { logger, now } = this.#options;
    if (answer.kind === 'conflict') {
      this.#counts.conflicts += 1;
      this.#checkBehind(answer);
      this.#state = adoptConflict(answer, this.#state, now());
      for (const segment of this.#state.gone) this.#state.acknowledged.delete(segment);
      this.#unwritten = true;
      this.#batch = null;
      throw new OfferFailed('control goes on from elsewhere', 0);
    }
    this.#behind = false;
    this.#counts[answer.kind] += 1;
    if (answer.kind === 'quarantined') {
      const { refused, missing, reason } = answer;
      this.#counts.missing += missing;
      if (refused > 0) logger.error({ refused, reason }, 'control holds records in quarantine');
    }
    for (const range of manifest.segments) {
      const { segment, end } = range;
      rememberLine(this.#state.lastLines, range);
      if (this.#state.gone.has(segment)) continue;
      this.#state.acknowledged.set(segment, { offset: end, atMs: now() });
      if (end >= (this.#state.again.get(segment) ?? 0)) this.#state.again.delete(segment);
    }
    this.#state.inFlight = null;
    this.#unwritten = true;
    this.#batch = null;
  }

  #checkBehind(answer: Extract<Settled, { kind: 'conflict' }>): void {
    const behind = isBehind(answer, this.acknowledged);
    if (behind && !this.#behind) this.#options.logger.error({ offsets: answer.offsets }, SET_BACK);
    this.#behind = behind;
    if (behind) throw new OfferFailed(SET_BACK, 0);
  }

  /** One write after the other: they share a temporary file. */
  #write(): Promise<void> {
    const write = async (): Promise<void> => {
      this.#unwritten = false;
      try {
        const { dataDirectory, stream } = this.#options;
        await writeShippingState(dataDirectory, stream, this.#state);
      } catch (error) {
        this.#unwritten = true;
        throw error;
      }
    };
    const written = this.#writing.then(write, write);
    this.#writing = written;
    return written;
  }

  /** Counts a failure, says so at the first of a row, and gives the time to wait. */
  #failed(error: unknown): number {
    this.#counts.retries += 1;
    const asked = error instanceof OfferFailed ? error.retryAfterMs : 0;
    const waitMs = Math.max(asked, jittered(this.#backoff.next(), Math.random()));
    const details = { err: error, waitMs: Math.round(waitMs) };
    if (this.#failing) this.#options.logger.debug(details, 'records are not shipped');
    else this.#options.logger.warn(details, 'records are not shipped; trying on, they are kept');
    this.#failing = true;
    return waitMs;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

function isIn(manifest: BatchManifest | null, segment: string): boolean {
  return manifest !== null && manifest.segments.some((range) => range.segment === segment);
}
