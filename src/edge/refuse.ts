import { ERRORS } from '../base/errors.ts';
import { answerError } from './answer.ts';
import type { HttpPair } from './auction-route.ts';

/**
 * Refuses a request for less than it costs to answer one: at ten times of what a process can do, what
 * refusals take is what auctions miss.
 *
 * Measured on a request of two kilobytes, all of the process's CPU with the kernel's part: 14 to 17 µs
 * like this, 20 to 21 by `writeHead` and `end` (two runs of 60,000 requests each).
 */
export function refuseOverloaded({ request, response }: HttpPair): void {
  const { socket } = response;
  const isPlain =
    // Behind another answer on the same connection it would overtake that one.
    socket !== null &&
    response.shouldKeepAlive &&
    !response.hasHeader('connection') &&
    // A page gets to see its answer by headers that name it.
    request.headers.origin === undefined;
  if (!isPlain) return answerError(response, 'overloaded');
  socket.write(REFUSAL, 'latin1');
  // The server goes on to the connection's next request.
  response.emit('finish');
}

/** As `answerError` would write it, except for a date, which 5xx need not have (RFC 9110, 6.6.1). */
const REFUSAL = refusal();

function refusal(): string {
  const { status, message } = ERRORS.overloaded;
  const body = JSON.stringify({ code: 'overloaded', message, errors: [] });
  const head = [
    `HTTP/1.1 ${status} Service Unavailable`,
    'retry-after: 1',
    'cache-control: no-store',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: keep-alive',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
