import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { addDays, dateOf, startOf } from '../../analytics/dates.ts';
import { RAW_DAYS } from '../../analytics/rebuild.ts';
import type { Window } from '../../analytics/recorded-windows.ts';
import type { LogLine } from '../../analytics/log-lines.ts';
import { NO_BODY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { showInstant } from '../shown.ts';
import { answerStream } from './answer-stream.ts';
import { DATE, readDate } from './dates.ts';
import { SIDES, type ExportParts, type Side } from './parts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const LogQuerySchema = Type.Object(
  {
    date: DATE,
    hour: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 23,
        description:
          'a UTC hour of the day, a whole number from 0 to 23; the whole day if nothing is said',
      }),
    ),
    from: Type.Optional(
      Type.String({
        pattern:
          '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$',
        description:
          'an instant of the day such as 2026-11-20T08:15:00.000Z, to leave out what was before it',
      }),
    ),
  },
  { additionalProperties: false, title: 'this address' },
);
type LogQuery = Static<typeof LogQuerySchema>;

/**
 * `GET …/log/`: what happened to one account, a line for each event, streamed in the order of times.
 */
export function addLogs(endpoints: Endpoints, parts: ExportParts): void {
  for (const side of SIDES) addLog(endpoints, side, parts);
}

function addLog(endpoints: Endpoints, side: Side, parts: ExportParts): void {
  endpoints.add(
    {
      id: `get${side.name}Log`,
      method: 'GET',
      path: `${side.path}/log`,
      tag: 'Exports',
      summary: `Stream the log of a ${side.noun}: every event of a UTC day`,
      description: `${DESCRIPTIONS[side.side]} Newline-delimited JSON in the order of \`at\`, gzipped for who accepts it. The last line is \`{"type":"end","lines":n,"to":"…"}\`: without it the log was cut off. Ask again with \`from\` = \`to\` for what has come since. The last ${RAW_DAYS} days can be had.`,
      roles: side.roles,
      query: LogQuerySchema,
      queryExample: { date: '2026-11-20' },
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the events, a JSON object on each line',
        schema: Type.String(),
        example: EXAMPLES[side.side],
        type: 'application/x-ndjson',
      },
      errors: ['analytics_unavailable', 'too_many_exports'],
    },
    async ({ caller, params, query, request, reply }) => {
      const id = await side.idOf(parts, caller, params);
      const window = readWindow(query, parts);
      return answerLog({ side, id, window, parts }, request, reply);
    },
  );
}

interface AskedLog {
  readonly side: Side;
  readonly id: number;
  readonly window: Window;
  readonly parts: ExportParts;
}

/** The first page is read before the answer begins, so that a store that is not there is an error. */
async function answerLog(
  { side: { side }, id, window, parts }: AskedLog,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.type('application/x-ndjson; charset=utf-8');
  if (request.method === 'HEAD') return reply.send('');
  const end = parts.slots.begin(`${side} ${id}`, reply);
  try {
    const pages = parts.exports.log({ side, id }, window);
    const first = await pages.next();
    return answerStream(request, reply, { pieces: textOf(first, pages, window), end });
  } catch (error) {
    end();
    throw error;
  }
}

/** A page as one text, then the line that says that this is all. */
async function* textOf(
  first: IteratorResult<readonly LogLine[], void>,
  pages: AsyncGenerator<readonly LogLine[], void, void>,
  { to_ms: toMs }: Window,
): AsyncGenerator<string, void, void> {
  let lines = 0;
  try {
    for (let page = first; page.done !== true; page = await pages.next()) {
      lines += page.value.length;
      if (page.value.length > 0) yield page.value.map(lineOf).join('');
    }
    yield lineOf({ type: 'end', lines, to: showInstant(toMs) });
  } finally {
    await pages.return();
  }
}

function lineOf(line: LogLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The time that is asked for, as far as it is recorded.
 *
 * @throws RialtoError for days that are not kept.
 */
function readWindow({ date: text, hour, from }: LogQuery, { now, exports }: ExportParts): Window {
  const today = dateOf(now());
  const date = readDate('date', text, { first: addDays(today, 1 - RAW_DAYS), last: today });
  const dayMs = startOf(date);
  const startMs = dayMs + (hour ?? 0) * HOUR_MS;
  const endMs = hour === undefined ? dayMs + DAY_MS : startMs + HOUR_MS;
  const fromMs = from === undefined ? startMs : readInstant(from, { startMs, endMs });
  // What has happened since, or is on its way, comes with the next question.
  const toMs = Math.max(fromMs, Math.min(endMs, exports.loadedUntilMs()));
  return { from_ms: fromMs, to_ms: toMs };
}

function readInstant(
  text: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number {
  const atMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (atMs >= startMs && atMs <= endMs) return atMs;
  const message = `must be an instant from ${showInstant(startMs)} to ${showInstant(endMs)}`;
  throw invalidRequest([{ path: ['from'], message }]);
}

const DESCRIPTIONS: Readonly<Record<Side['side'], string>> = {
  demand:
    'Its own part of each auction: a `request` for each bid request that it was sent, its bids, and the wins, impressions, views, clicks and notices that came of them. `request_id` is what `${AUCTION_ID}` stands for. Nothing of other partners is in it.',
  supply:
    'The impressions that it sold: wins that it confirmed, impressions, views and clicks, with its payout. Nothing of buyers is in it.',
};

const AT = '2026-11-20T08:15:00.000Z';
const AUCTION = '019a9b3c5d7e0123456789abcdef0123';
const EXAMPLES: Readonly<Record<Side['side'], string>> = {
  demand: `{"type":"impression","at":"${AT}","auction_id":"${AUCTION}","request_id":"${AUCTION}","bid_id":"b-1","imp":0,"clearing_cpm":1.25}\n{"type":"end","lines":1,"to":"2026-11-21T00:00:00.000Z"}\n`,
  supply: `{"type":"impression","at":"${AT}","auction_id":"${AUCTION}","imp":0,"ad_space_id":4001,"payout_cpm":1}\n{"type":"end","lines":1,"to":"2026-11-21T00:00:00.000Z"}\n`,
};
