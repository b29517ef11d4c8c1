import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { RialtoError } from '../base/errors.ts';

/** Reports up to this length are answered as a whole, with their length; longer ones as they come. */
const WHOLE_CHARACTERS_MAX = 1_000_000;
/** Long reports under way at a time: each keeps a statement of the store open. */
const LONG_REPORTS_MAX = 8;
/** A client that takes nothing of a long report for this long has gone. */
const STALLED_MS = 30_000;

/** Sends reports of any length with flat memory: a long one is read as fast as its client takes it. */
export class ReportSender {
  readonly #onCutOff: (error: Error) => void;
  #longReports = 0;

  /** @param onCutOff told what ended a report of which the client already has a part. */
  constructor(onCutOff: (error: Error) => void) {
    this.#onCutOff = onCutOff;
  }

  /**
   * What goes wrong before the report is known to be long is thrown, and can be answered with its
   * status. Later it ends the connection: nothing else tells a client that rows are missing. A
   * client that goes ends the statement.
   */
  async send(reply: FastifyReply, text: AsyncGenerator<string>): Promise<FastifyReply> {
    const { begin, isWhole } = await beginningOf(text);
    if (isWhole) return reply.send(begin);
    if (this.#longReports >= LONG_REPORTS_MAX) {
      await text.return(undefined);
      throw new RialtoError('overloaded');
    }
    this.#longReports += 1;
    const body = Readable.from(continued(begin, text), { objectMode: false });
    body.once('error', this.#onCutOff);
    body.once('close', () => {
      this.#longReports -= 1;
      text.return(undefined).catch(this.#onCutOff);
    });
    reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
    return reply.send(body);
  }
}

async function beginningOf(
  text: AsyncGenerator<string>,
): Promise<{ readonly begin: string; readonly isWhole: boolean }> {
  let begin = '';
  while (begin.length <= WHOLE_CHARACTERS_MAX) {
    // Pieces come one after the other.
    // oxlint-disable-next-line no-await-in-loop
    const piece = await text.next();
    if (piece.done === true) return { begin, isWhole: true };
    begin += piece.value;
  }
  return { begin, isWhole: false };
}

async function* continued(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  yield* rest;
}
