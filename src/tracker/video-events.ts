import type { ServerResponse } from 'node:http';
import type { KeyRing } from '../beacons/key-ring.ts';
import { openToken } from '../beacons/token.ts';
import { VIDEO_EVENTS, type VideoEvent } from '../events/video-event.ts';
import { answerError, answerSettled } from './answer.ts';
import type { TrackerMetrics } from './metrics.ts';

/** What a player tells of a video, and whose. */
export interface ToldEvent {
  readonly event: VideoEvent;
  /** The token of the impression's view. */
  readonly token: string;
  /** The error code of an error, as far as it is one; else ''. */
  readonly code: string;
}

const EVENT_PATH = /^\/event\/(\w+)\/([^/?#]+)\/?(?:\?([^#]*))?(?:#|$)/;
const EVENTS: ReadonlyMap<string, VideoEvent> = new Map(
  [...VIDEO_EVENTS, 'error' as const].map((event) => [event, event]),
);

/** VAST 3.0 section 2.4.2.3: what a player may fill into `[ERRORCODE]`. */
const ERROR_CODES: ReadonlySet<string> = new Set(
  '100 101 102 200 201 202 203 300 301 302 303 400 401 402 403 405 500 501 502 503 600 601 602 603 604 900 901'.split(
    ' ',
  ),
);

/** Reads `/event/start/TOKEN` and the like, `/event/error/TOKEN?code=303`; null for another address. */
export function readVideoEvent(url: string): ToldEvent | null {
  const [, name = '', token = '', query = ''] = EVENT_PATH.exec(url) ?? [];
  const event = EVENTS.get(name);
  if (event === undefined) return null;
  if (event !== 'error') return { event, token, code: '' };
  const code = new URLSearchParams(query).get('code') ?? '';
  return { event, token, code: ERROR_CODES.has(code) ? code : 'other' };
}

/**
 * Counts an event of a genuine impression in the metrics. It is on no disk and may count twice: it
 * is for seeing how videos fare, and no report and no money is made of it.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function takeVideoEvent(
  { event, token, code }: ToldEvent,
  {
    keys,
    metrics,
  }: { readonly keys: { readonly ring: KeyRing }; readonly metrics: TrackerMetrics },
  nowMs: number,
  response: ServerResponse,
): void {
  const opened = openToken(token, 'view', keys.ring, nowMs);
  if (!opened.ok) {
    const isLate = opened.reason === 'expired';
    return answerError(response, isLate ? 'beacon_expired' : 'invalid_beacon');
  }
  if (opened.beacon.imp.test === 0) metrics.countVideoEvent(event, code);
  answerSettled(response, 'view');
}
