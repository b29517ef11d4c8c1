import type { Mailer } from '../ports/mailer.ts';
import type { Transport } from './delivery-sender.ts';
import { emailOf } from './email-message.ts';

export interface EmailTransportOptions {
  /** Null where the node has no mail server. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  /** Control's address that others see, without a slash at its end. */
  readonly controlUrl: string;
}

/** What a delivery fails with where the mail server that there was is not set any more. */
const NO_MAIL_SERVER = 'ERR_NO_MAIL_SERVER';

/** Sends deliveries as e-mail, one for each event. */
export function createEmailTransport({ mailer, controlUrl }: EmailTransportOptions): Transport {
  return async (recipient, delivery) => {
    if (mailer === null) return { status: null, failure: NO_MAIL_SERVER, verdict: 'down' };
    const { subject, text } = emailOf(JSON.parse(delivery.body), recipient, controlUrl);
    const reply = await mailer.send({ id: delivery.id, to: recipient.address, subject, text });
    if (reply.kind === 'error') return { status: null, failure: reply.code, verdict: 'down' };
    const { status, about } = reply;
    // There is no such address: trying on would only harm the name of who sends.
    if (about === 'recipient' && status >= 500) return { status, failure: null, verdict: 'gone' };
    return { status, failure: null, ...(about === 'session' ? { verdict: 'down' } : {}) };
  };
}
