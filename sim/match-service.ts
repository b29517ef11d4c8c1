import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendAnswer } from './wire.ts';

/** A browser that came by the partner's address of user matching. */
export interface Matched {
  readonly uid: string;
  /** Everything that the address said. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly referer: string | null;
}

const COOKIE = 'sim_uid';
const MATCHED_MAX = 1_000;

/**
 * The partner's end of user matching, `GET /match?redirect=ADDRESS`: it knows a browser by a cookie of
 * its own, and sends it back to the address with that id behind it.
 */
export class MatchService {
  /** The last browsers, oldest first. */
  readonly matched: Matched[] = [];
  readonly #partner: string;
  #known = 0;

  constructor(partner: string) {
    this.#partner = partner;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '/', 'http://partner');
    const redirect = searchParams.get('redirect') ?? '';
    if (!/^https?:\/\//.test(redirect)) return sendAnswer(response, { status: 400 });
    const [, known] =
      new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '') ?? [];
    const uid = known ?? this.#newUid();
    this.matched.push({
      uid,
      parameters: Object.fromEntries(searchParams),
      referer: request.headers.referer ?? null,
    });
    if (this.matched.length > MATCHED_MAX) this.matched.shift();
    const headers = {
      location: `${redirect}${encodeURIComponent(uid)}`,
      'set-cookie': `${COOKIE}=${uid}; Path=/; Secure; HttpOnly; SameSite=None`,
    };
    return sendAnswer(response, { status: 302, headers });
  }

  #newUid(): string {
    this.#known += 1;
    return `${this.#partner.toLowerCase().replaceAll(/\W+/g, '-')}-${this.#known}`;
  }
}
