import {
  BATCH_MEDIA_TYPE,
  BATCH_PATHS,
  decodeBatchAnswer,
  decodeGivenUpAnswer,
  GIVEN_UP_PATH,
  type BatchAnswer,
  type GivenUp,
} from '../ports/batch-wire.ts';
import type { BatchStream } from '../ports/batch.ts';
import type { ControlClient } from './control-client.ts';

/**
 * One absolute limit for an offer: a batch may come over a slow line, and control tries an insertion
 * three times before it answers.
 */
const OFFER_MS = 60_000;

/** An answer after which the same batch is not offered again. */
export type Settled = Exclude<BatchAnswer, { kind: 'failed' }>;

/** An offer that has to be made again. */
export class OfferFailed extends Error {
  override readonly name = 'OfferFailed';
  readonly retryAfterMs: number;

  constructor(reason: string, retryAfterMs: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** @throws OfferFailed, or the connection's error, when the batch has to be offered again */
export async function offerBatch(
  control: Pick<ControlClient, 'post'>,
  stream: BatchStream,
  body: Buffer,
): Promise<Settled> {
  const { status, text, retryAfterMs } = await control.post({
    path: BATCH_PATHS[stream],
    type: BATCH_MEDIA_TYPE,
    body,
    withinMs: OFFER_MS,
  });
  const answer = decodeBatchAnswer(text);
  if (answer === null || answer.kind === 'failed') {
    throw new OfferFailed(answer?.reason ?? `control answered with status ${status}`, retryAfterMs);
  }
  return answer;
}

/**
 * Which lines of a batch that cannot be made again are loaded, by their places in the question.
 *
 * @throws OfferFailed, or the connection's error, when control has to be asked again
 */
export async function askPresent(
  control: Pick<ControlClient, 'post'>,
  question: GivenUp,
): Promise<readonly number[]> {
  const { status, text, retryAfterMs } = await control.post({
    path: GIVEN_UP_PATH,
    type: 'application/json',
    body: Buffer.from(JSON.stringify(question)),
    withinMs: OFFER_MS,
  });
  const answer = decodeGivenUpAnswer(text);
  if (answer?.kind === 'looked') return answer.present;
  throw new OfferFailed(answer?.reason ?? `control answered with status ${status}`, retryAfterMs);
}
