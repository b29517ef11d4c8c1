/** How e-mail is sent; `src/adapters/smtp-mailer.ts` is the implementation. */
export interface Mailer {
  /** Sends a mail to one address. It never throws: whatever goes wrong is a `MailReply`. */
  send(mail: Mail): Promise<MailReply>;
  /** Gives what is under way so long, then ends it; it resolves when nothing is. */
  close(withinMs: number): Promise<void>;
}

export interface Mail {
  /** The same for every try of one mail, so that its receiver can tell it from others. */
  readonly id: string;
  /** One address, without a name. */
  readonly to: string;
  /** On one line. */
  readonly subject: string;
  readonly text: string;
}

export type MailReply =
  /** The last status of the server, of 200 to 299 where it has taken the mail. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** What it is said of: the recipient, this mail, or anything else, such as the sign-in. */
      readonly about: 'recipient' | 'mail' | 'session';
    }
  /** No answer: `ECONNREFUSED`, `ETIMEDOUT`, `ETLS`. */
  | { readonly kind: 'error'; readonly code: string };
