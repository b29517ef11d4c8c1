import { ERRORS } from '../base/errors.ts';
import { answerError } from './answer.ts';
import type { HttpPair } from './auction-route.ts';
import { headOf, wholeAnswerSocket, writeWhole } from './whole-answer.ts';

/**
 * Refuses a request for less than it costs to answer one: at ten times of what a process can do, what
 * refusals take is what auctions miss. All of it was made before; `whole-answer.ts` says what that brings.
 */
export function refuseOverloaded({ response }: Pick<HttpPair, 'response'>): void {
  const socket = wholeAnswerSocket(response);
  if (socket === null) answerError(response, 'overloaded');
  else writeWhole(response, socket, REFUSAL);
}

/** As `answerError` would write it, except for a date, which 5xx need not have (RFC 9110, 6.6.1). */
const REFUSAL = refusal();

function refusal(): string {
  const { status, message } = ERRORS.overloaded;
  const body = JSON.stringify({ code: 'overloaded', message, errors: [] });
  const head = headOf(`${status} Service Unavailable`, [
    'retry-after: 1',
    'cache-control: no-store',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]);
  return `${head}\r\n${body}`;
}
