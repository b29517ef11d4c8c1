import type { Database } from '../configuration/schema.ts';
import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import type { Transport } from './delivery-sender.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

/** How long a receiver may take, everything included. */
const WITHIN_MS = 10_000;

export interface WebhookTransportOptions {
  readonly client: Pick<NoticeClient, 'call'>;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
}

/** POSTs deliveries to webhooks, signed. */
export function createWebhookTransport({ client, monotonic }: WebhookTransportOptions): Transport {
  return async (webhook, { id, body, tries }, atMs) => {
    const headers = [
      'content-type',
      'application/json',
      'user-agent',
      'Rialto-Webhooks',
      'rialto-delivery',
      id,
      'rialto-try',
      String(tries + 1),
      SIGNATURE_HEADER.toLowerCase(),
      signatureOf(secretsOf(webhook, atMs), Math.floor(atMs / 1_000), body),
    ];
    const deadlineMs = monotonic() + WITHIN_MS;
    const reply = await new Promise<NoticeReply>((resolve) => {
      client.call(
        { url: webhook.address, id, bodyBytesMax: 0, deadlineMs, post: { headers, body } },
        resolve,
      );
    });
    if (reply.kind === 'busy') return null;
    if (reply.kind === 'answer') return { status: reply.status, failure: null };
    // It would not answer the next one either.
    const failure = reply.kind === 'error' ? reply.code : reply.kind;
    return { status: null, failure, verdict: 'down' };
  };
}

/** The secrets to sign with, the newest first. */
function secretsOf(
  { secret, previous_secret: previous, previous_secret_until: until }: Database['subscriptions'],
  nowMs: number,
): string[] {
  const isPreviousGood = until !== null && until > nowMs;
  return [secret, isPreviousGood ? previous : null].filter((each) => each !== null);
}
