import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { ownField } from '../base/fields.ts';
import { isMailAddress, mailDomainOf } from '../base/mail-address.ts';
import type { Mail, Mailer, MailReply } from '../ports/mailer.ts';

/** Where mail is handed to, as the operator has set it. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** From the first byte, by STARTTLS, which the server must offer, or not at all. */
  readonly tls: 'tls' | 'starttls' | 'off';
  /** The sender: an address. */
  readonly from: string;
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** Until the connection is there, until the server greets, and between two of its answers. */
const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
const CONNECTIONS_MAX = 2;
/** The mail may have arrived, and is sent again. */
const CLOSED: MailReply = { kind: 'error', code: 'ERR_CLOSED' };

/**
 * Hands mails to one server over SMTP. Where the server is is the operator's own setting, so any address
 * will do; over TLS its certificate must be valid for the name.
 */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { host, port, tls, from, credentials } = settings;
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // The caller tries again, and says so in its log.
    maxRequeues: 0,
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(credentials === null
      ? {}
      : { auth: { user: credentials.user, pass: credentials.password } }),
    ...TIMES,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const domain = mailDomainOf(from);
  const send = async ({ id, to, subject, text }: Mail): Promise<MailReply> => {
    try {
      const sent = await transport.sendMail({
        from: { name: 'Rialto', address: from },
        to: { name: '', address: to },
        // Said apart from the headers, so that what is read out of those changes nothing.
        envelope: { from, to: [to] },
        messageId: `<${id}@${domain}>`,
        subject,
        text,
        // Asks mail servers for no automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { kind: 'answer', status: statusOf(sent.response), about: 'mail' };
    } catch (error) {
      return replyOf(error);
    }
  };
  const sending = new Set<Promise<MailReply>>();
  const ended = Promise.withResolvers<MailReply>();
  let isClosed = false;
  return {
    send: async (mail) => {
      // The library takes a list of addresses for several recipients.
      if (!isMailAddress(mail.to)) return { kind: 'error', code: 'ERR_MAIL_ADDRESS' };
      if (isClosed) return CLOSED;
      const sent = send(mail);
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
      return Promise.race([sent, ended.promise]);
    },
    // The library's own end leaves alone what is under way, which a silent server holds for half a minute.
    close: async (withinMs) => {
      isClosed = true;
      transport.close();
      const waiting = new AbortController();
      await Promise.race([
        Promise.all(sending),
        delay(withinMs, undefined, { signal: waiting.signal }).catch(() => {}),
      ]);
      waiting.abort();
      ended.resolve(CLOSED);
    },
  };
}

/** The status at the beginning of an answer: `250 2.0.0 queued`. */
function statusOf(response: string): number {
  return Number(/^\d{3}/.exec(response)?.[0] ?? 250);
}

/** What the server is asked when its answer is about one recipient, or one mail; else it is about all. */
const ABOUT: Readonly<Record<string, 'recipient' | 'mail'>> = {
  'RCPT TO': 'recipient',
  DATA: 'mail',
};

/** The library's errors have the server's status, or a code of their own and the system's. */
function replyOf(error: unknown): MailReply {
  const of = (key: string): unknown =>
    typeof error === 'object' ? ownField(error, key) : undefined;
  const status = of('responseCode');
  if (typeof status === 'number') {
    return { kind: 'answer', status, about: ABOUT[String(of('command'))] ?? 'session' };
  }
  const codes = [of('originalCode'), of('code')];
  return { kind: 'error', code: codes.find((code) => typeof code === 'string') ?? 'ERR_MAIL' };
}
