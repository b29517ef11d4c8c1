import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';

import { processUsage } from '../base/process-usage.ts';
import {
  SEGMENTS_GONE_MAX,
  StatusAnswerSchema,
  type NodeProcess,
  type NodeStatus,
} from '../ports/node-status.ts';
import type { ControlClient } from './control-client.ts';
import type { JournalKeeper } from './journal-keeper.ts';
import type { JournalSegments } from './journal-segments.ts';
import type { Notices } from './notices.ts';
import { ShippedMark } from './shipped-mark.ts';
import type { Shipper } from './shipper.ts';

const REPORT_MS = 2_000;
const REPORT_WITHIN_MS = 5_000;
/** What is acknowledged is told with the first of so many reports. */
const TOLD_EVERY = 15;

const answerValidator = Compile(StatusAnswerSchema);

export interface StatusReporterOptions {
  readonly incarnation: string;
  readonly version: string;
  /** The configuration that the node has, `EPOCH.SEQ`; empty while it has none. */
  readonly snapshot: () => string;
  readonly shipper: Pick<
    Shipper,
    | 'acknowledged'
    | 'figures'
    | 'gone'
    | 'forget'
    | 'reoffer'
    | 'reofferedAt'
    | 'lacking'
    | 'storeIsStrange'
  >;
  /** Ships the trace. */
  readonly traces: Pick<Shipper, 'figures' | 'gone' | 'forget' | 'reoffer'>;
  readonly keeper: Pick<JournalKeeper, 'figures'>;
  readonly notices: Pick<Notices, 'figures'>;
  readonly segments: Pick<JournalSegments, 'unreadable' | 'shortened' | 'unacknowledged'>;
  /** All processes of the node, as far as they have told of themselves. */
  readonly processes: () => readonly NodeProcess[];
  readonly control: Pick<ControlClient, 'post'>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Tells control every few seconds how the node is: the courier has no port of its own, so that
 * control shows its metrics. What cannot be told is told with the next status.
 */
export class StatusReporter {
  readonly #options: StatusReporterOptions;
  #mark = new ShippedMark();
  #reports = 0;
  /** Which request for the whole journal the mark is of. */
  #markedAt = 0;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: StatusReporterOptions) {
    this.#options = options;
  }

  /** Reports until `stop`. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** @throws when control does not take it */
  async report(): Promise<void> {
    const { control, shipper, traces } = this.#options;
    const { reofferedAt } = shipper;
    const status = await this.#gather();
    const { status: code, text } = await control.post({
      path: '/internal/nodes/status',
      type: 'application/json',
      body: JSON.stringify(status),
      withinMs: REPORT_WITHIN_MS,
    });
    if (code !== 200) throw new Error(`control answered with status ${code}`);
    const answer: unknown = JSON.parse(text);
    if (!answerValidator.Check(answer)) throw new Error('control answered in another form');
    for (const each of [shipper, traces]) {
      each.forget(status.gone);
      each.reoffer(answer.reofferedAt);
    }
    shipper.storeIsStrange = answer.isStoreStrange;
    // After such a request nothing is acknowledged any more, which this courier did not know when it told.
    if (answer.isBehind && answer.reofferedAt <= reofferedAt) shipper.lacking();
  }

  async #gather(): Promise<NodeStatus> {
    const { incarnation, version, snapshot, keeper, notices, segments } = this.#options;
    const { shipper, traces } = this.#options;
    const shipping = await shipper.figures();
    await this.#lookAtMark();
    const { wholeUntilMs } = this.#mark;
    const isTold = this.#reports % TOLD_EVERY === 0;
    this.#reports += 1;
    return {
      incarnation,
      host: hostname(),
      version,
      snapshot: snapshot(),
      shipping: {
        ...shipping,
        unreadableSegments: segments.unreadable,
        shortenedSegments: segments.shortened,
        ...(wholeUntilMs === null ? {} : { wholeUntilMs, reofferedAt: this.#markedAt }),
      },
      traces: await traces.figures(),
      journal: keeper.figures,
      notices: notices.figures,
      process: processUsage(),
      processes: [...this.#options.processes()],
      ...(isTold ? { acknowledged: offsetsOf(shipper.acknowledged) } : {}),
      gone: [...shipper.gone, ...traces.gone].slice(0, SEGMENTS_GONE_MAX),
    };
  }

  async #lookAtMark(): Promise<void> {
    const { now, segments, shipper } = this.#options;
    const atMs = now();
    const { acknowledged, reofferedAt } = shipper;
    // What was whole is not, as long as it is offered again.
    if (reofferedAt !== this.#markedAt) this.#mark = new ShippedMark();
    this.#markedAt = reofferedAt;
    this.#mark.look(atMs, await segments.unacknowledged(acknowledged), acknowledged);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.report();
      } catch (error) {
        // The shipper and the snapshot's feed meet the same control, and say it louder.
        if (!signal.aborted)
          this.#options.logger.debug({ err: error }, 'the status is not reported');
      }
      await delay(REPORT_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function offsetsOf(acknowledged: Shipper['acknowledged']): Record<string, number> {
  return Object.fromEntries([...acknowledged].map(([segment, { offset }]) => [segment, offset]));
}
