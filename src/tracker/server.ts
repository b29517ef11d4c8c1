import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';

import { drainServer } from '../base/drain-server.ts';
import type { ErrorCode } from '../base/errors.ts';
import {
  answerBrokenRequest,
  CONNECTIONS_MAX,
  HTTP_OPTIONS,
  isTransferKnown,
} from '../base/http-server.ts';
import type { LoopWait } from '../base/loop-wait.ts';
import { clickTarget } from '../beacons/click-target.ts';
import type { KeyRing } from '../beacons/key-ring.ts';
import { openToken } from '../beacons/token.ts';
import type { BeaconKind } from '../events/beacon-record.ts';
import {
  answerError,
  answerPreflight,
  answerRedirect,
  answerSettled,
  answerText,
} from './answer.ts';
import type { BeaconCounter } from './beacon-counter.ts';
import type { BeaconOutcome, TrackerMetrics } from './metrics.ts';
import { readVideoEvent, takeVideoEvent } from './video-events.ts';

/**
 * How long an idle connection may wait for its last request while the process drains. Short, because
 * the successor waits meanwhile: there is never more than one tracker.
 */
const DRAIN_IDLE_MS = 200;
/** When beacons wait longer for the process, it leaves out what neither bills nor leads anybody on. */
const WAIT_MAX_MS = 100;

export interface TrackerParts {
  readonly counter: BeaconCounter;
  /** Asked for each beacon: keys change while the tracker runs. */
  readonly keys: { readonly ring: KeyRing };
  /** Why a beacon that comes now would not be recorded; null where it can be expected to be. */
  readonly unwritable: () => Error | null;
  /** Incarnation of the data directory; beacons of other trackers are not counted here. */
  readonly home: string;
  /** How long beacons wait for the process. */
  readonly wait: Pick<LoopWait, 'waitedMs'>;
  readonly metrics: TrackerMetrics;
  readonly logger: Logger;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Unix time in milliseconds. */
  readonly unixTime: () => number;
}

/** The tracker's HTTP server, and how it stops. */
export interface Tracker {
  readonly server: Server;
  /** Takes no new connections, answers what is under way, and resolves when all is quiet. */
  drain(): Promise<void>;
}

/** `/win/TOKEN` and so on; a slash at the end and a query, as callers add them, change nothing. */
const BEACON_PATH = /^\/(win|imp|view|click)\/([^/?#]+)\/?(?:[?#]|$)/;
const KINDS: Readonly<Record<string, BeaconKind>> = {
  win: 'win',
  imp: 'impression',
  view: 'view',
  click: 'click',
};

/** Serves beacons on plain `node:http`, as the exchange serves ad requests. */
export function createTracker(parts: TrackerParts): Tracker {
  const { logger } = parts;
  let draining = false;
  const server = createServer(HTTP_OPTIONS, (request, response) => {
    if (draining) response.setHeader('connection', 'close');
    route(parts, request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'a beacon failed');
      if (!response.headersSent) answerError(response, 'internal');
      else response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX.tracker;
  server.on('clientError', answerBrokenRequest);
  return {
    server,
    drain: () => {
      draining = true;
      return drainServer(server, {
        idleMs: DRAIN_IDLE_MS,
        isBusy: () => parts.counter.underway > 0,
      });
    },
  };
}

async function route(
  parts: TrackerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startMs = parts.now();
  const isBehind = parts.wait.waitedMs(startMs) > WAIT_MAX_MS;
  if (!isTransferKnown(request)) return answerError(response, 'unknown_transfer_coding');
  // What a beacon says is in its address; a body, as `sendBeacon` sends one, is not looked at.
  request.resume();
  const url = request.url ?? '/';
  const [, name = '', token = ''] = BEACON_PATH.exec(url) ?? [];
  const kind = KINDS[name] ?? readVideoEvent(url);
  if (kind === null) return other(parts, url, response);
  if (request.method === 'OPTIONS') return answerPreflight(response);
  // Not HEAD: who only looks whether a link works is no visitor.
  if (request.method !== 'GET' && request.method !== 'POST') {
    response.setHeader('allow', 'GET, POST, OPTIONS');
    return answerError(response, 'method_not_allowed');
  }
  if (typeof kind === 'object') {
    if (isBehind) return answerError(response, 'overloaded');
    return takeVideoEvent(kind, parts, parts.unixTime(), response);
  }
  return answerBeacon(parts, { kind, token, startMs, isBehind }, response);
}

interface ReceivedBeacon {
  readonly kind: BeaconKind;
  readonly token: string;
  /** On the monotonic clock. */
  readonly startMs: number;
  /** The process has more to do than it has time for. */
  readonly isBehind: boolean;
}

async function answerBeacon(
  parts: TrackerParts,
  { kind, token, startMs, isBehind }: ReceivedBeacon,
  response: ServerResponse,
): Promise<void> {
  if (isBehind && kind === 'view') {
    parts.metrics.countBeacon(kind, 'overloaded');
    return answerError(response, 'overloaded');
  }
  const { outcome, target } = await take(parts, kind, token);
  parts.metrics.countBeacon(kind, outcome);
  const refusal = REFUSALS[outcome];
  if (refusal === null) parts.metrics.observe(parts.now() - startMs);
  if (target !== null && LEADS_ON.has(outcome)) return answerRedirect(response, target);
  if (refusal !== null) return answerError(response, refusal);
  answerSettled(response, kind);
}

/** Opens the token and counts what it says; `target` is where a genuine click leads. */
async function take(
  { keys, home, counter, unixTime }: TrackerParts,
  kind: BeaconKind,
  token: string,
): Promise<{ readonly outcome: BeaconOutcome; readonly target: string | null }> {
  const opened = openToken(token, kind, keys.ring, unixTime());
  if (!opened.ok && opened.reason !== 'expired') return { outcome: opened.reason, target: null };
  const { beacon } = opened;
  const target = kind === 'click' ? clickTarget(beacon.url) : null;
  if (!opened.ok) return { outcome: opened.reason, target };
  if (beacon.home !== home) return { outcome: 'foreign', target };
  return { outcome: await counter.count(beacon), target };
}

/**
 * Outcomes after which a click leads to its target. Behind a click is a person, who wants to see the
 * page and does not click again so that we can count: what cannot be counted any more, or not here,
 * still leads on. What may be counted at the next try does not.
 */
const LEADS_ON: ReadonlySet<BeaconOutcome> = new Set<BeaconOutcome>([
  'counted',
  'repeated',
  'test',
  'expired',
  'foreign',
]);

/**
 * What is answered to each outcome; null for what is settled. Everything that is wrong with a token
 * has one answer, so that nobody learns how far a forgery came.
 */
const REFUSALS: Readonly<Record<BeaconOutcome, ErrorCode | null>> = {
  counted: null,
  repeated: null,
  test: null,
  unrecorded: 'beacon_unrecorded',
  overloaded: 'overloaded',
  malformed: 'invalid_beacon',
  wrong_kind: 'invalid_beacon',
  unknown_key: 'invalid_beacon',
  tampered: 'invalid_beacon',
  lives_too_long: 'invalid_beacon',
  expired: 'beacon_expired',
  foreign: 'beacon_elsewhere',
};

function other({ unwritable }: TrackerParts, url: string, response: ServerResponse): void {
  const path = url.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
  switch (path) {
    case '/readyz':
      // It listens only once it knows what was counted, so that nothing else keeps it from counting.
      if (unwritable() !== null) return answerError(response, 'beacon_unrecorded');
      return answerText(response, 'ok\n');
    case '/livez':
      return answerText(response, 'ok\n');
    default:
      return answerError(response, 'not_found');
  }
}
