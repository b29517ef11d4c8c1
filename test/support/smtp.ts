import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { atEnd } from './at-end.ts';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server has taken it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers, an empty line and the text, as they came. */
  readonly raw: string;
  /** Whether it came over TLS, and as whom. */
  readonly isSecure: boolean;
  readonly user: string | null;
}

export interface MailServer {
  readonly port: number;
  readonly taken: readonly TakenMail[];
}

/** A real SMTP server on a free port of this machine, which keeps what it is handed. */
export async function startMailServer(
  t: TestContext,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, session, done) {
      let raw = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (raw += chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          isSecure: session.secure,
          user: session.user === undefined ? null : String(session.user),
        });
        done();
      });
    },
    ...options,
  });
  // A client that gives up, or does not trust the certificate, is the test's matter.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  atEnd(t, async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  });
  const address = listening.address();
  if (typeof address !== 'object' || address === null) throw new Error('not bound to a port');
  return { port: address.port, taken };
}

/** The value of a header of a mail, unfolded. */
export function headerOf(raw: string, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return lines
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    ?.slice(name.length + 2);
}
