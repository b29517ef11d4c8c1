import type { KeyRing } from '../beacons/key-ring.ts';
import { openCookie, sealCookie } from './cookie-seal.ts';
import {
  liveMatch,
  MATCH_KEPT_S,
  mergeMatches,
  NO_MATCH,
  type Match,
  type Matches,
} from './match.ts';
import { decodeContent, encodeContent, type CookieContent } from './payload.ts';

/** The cookie of all matches, and before a partner's id the name of what is new of that partner. */
const MAIN = 'rialto_user';
const NEWS = `${MAIN}_`;
const OPT_OUT = 'rialto_optout';

/**
 * Partners answer a page of pixels side by side, and each answer knows the cookies as they were when
 * it was asked for: if all of them wrote one cookie, the last would undo the others. Each writes the
 * partner's own, and the next page brings them together. Who finds so many brings them together itself.
 */
const NEWS_MAX = 6;
/** Side by side more may be written than one answer knows of; what is read is bounded all the same. */
const NEWS_READ_MAX = 12;

/** The longest that browsers keep a cookie. */
const OPT_OUT_KEPT_S = 400 * 24 * 60 * 60;

/**
 * Sent with requests from other sites, as pages of publishers make them, over https alone (browsers
 * that take `http://localhost` for safe keep it there too), and not shown to scripts.
 */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=None';

/** What a request's cookies say of the user. */
export interface CookieUser {
  /** The user wants no matching: nothing else was read. */
  readonly optedOut: boolean;
  /** The browser's own id, hexadecimal; null when it has brought none. */
  readonly browser: string | null;
  /** When the browser last opened the page of pixels, Unix time in seconds; 0 for never. */
  readonly pageS: number;
  /** What has not expired. */
  readonly matches: Matches;
  /** The names of all cookies of ours, readable or not, but for the opt-out. */
  readonly names: readonly string[];
}

export interface UserCookiesOptions {
  readonly keys: { readonly ring: KeyRing };
  /** 12 bytes from chance, never given before; they may change at the next call. */
  readonly drawNonce: () => Uint8Array;
  /** Unix time in seconds, whole. */
  readonly nowS: () => number;
}

/** Somebody without cookies: what most requests come from. */
export const NOBODY: CookieUser = Object.freeze({
  optedOut: false,
  browser: null,
  pageS: 0,
  matches: new Map(),
  names: [],
});

/** Reads what browsers bring, and says what they are to keep. */
export class UserCookies {
  readonly #options: UserCookiesOptions;

  constructor(options: UserCookiesOptions) {
    this.#options = options;
  }

  /** Whatever the header is, this does not throw, and gives only what was sealed here. */
  read(header: string | undefined): CookieUser {
    if (header === undefined || !header.includes('rialto_')) return NOBODY;
    const cookies = oursOf(header);
    const names = [...cookies.keys()].filter((name) => name !== OPT_OUT);
    if (cookies.has(OPT_OUT)) return { ...NOBODY, optedOut: true, names };
    const [main, ...news] = [
      MAIN,
      ...names.filter((name) => name !== MAIN).slice(0, NEWS_READ_MAX),
    ];
    const contents = [main, ...news]
      .map((name) => this.#open(name, cookies.get(name)))
      .filter((content) => content !== null);
    return { optedOut: false, ...this.#unite(contents), names };
  }

  /** All of it in one cookie, as a page of pixels writes it. */
  keepAll(user: CookieUser, content: CookieContent): string[] {
    const others = user.names.filter((name) => name !== MAIN);
    return [this.#sealed(MAIN, content), ...others.map(removed)];
  }

  /** What has changed of some partners, each in a cookie of its own; all of it when they get many. */
  keepChanges(user: CookieUser, browser: string, changes: Matches): string[] {
    const names = new Set([...user.names, ...[...changes.keys()].map(newsOf)]);
    names.delete(MAIN);
    if (names.size > NEWS_MAX) {
      const matches = new Map([...user.matches, ...changes]);
      return this.keepAll({ ...user, names: [...names] }, { ...user, browser, matches });
    }
    return [...changes].map(([partnerId, match]) => {
      const only = { browser, pageS: user.pageS, matches: new Map([[partnerId, match]]) };
      return this.#sealed(newsOf(partnerId), only);
    });
  }

  /** Nothing is kept any more. */
  forget(user: CookieUser): string[] {
    return user.names.map(removed);
  }

  optOut(user: CookieUser): string[] {
    return [`${OPT_OUT}=1; Max-Age=${OPT_OUT_KEPT_S}; ${ATTRIBUTES}`, ...user.names.map(removed)];
  }

  optIn(): string[] {
    return [removed(OPT_OUT)];
  }

  #open(name: string, text: string | undefined): CookieContent | null {
    if (text === undefined) return null;
    const payload = openCookie(name, text, this.#options.keys.ring, this.#options.nowS());
    return payload === null ? null : decodeContent(payload);
  }

  #sealed(name: string, content: CookieContent): string {
    const { keys, drawNonce, nowS } = this.#options;
    const payload = encodeContent(content);
    const value = sealCookie(name, payload, { ring: keys.ring, drawNonce, nowS: nowS() });
    return `${name}=${value}; Max-Age=${MATCH_KEPT_S}; ${ATTRIBUTES}`;
  }

  /** What was written side by side. The cookie of all comes first, and with it the browser's id. */
  #unite(contents: readonly CookieContent[]): Pick<CookieUser, 'browser' | 'pageS' | 'matches'> {
    const [first] = contents;
    if (first === undefined) return NOBODY;
    const { browser } = first;
    const nowS = this.#options.nowS();
    const matches = new Map<number, Match>();
    let pageS = 0;
    for (const content of contents) {
      pageS = Math.max(pageS, content.pageS);
      for (const [partnerId, match] of content.matches) {
        const merged = mergeMatches(matches.get(partnerId) ?? NO_MATCH, match);
        matches.set(partnerId, liveMatch(merged, nowS));
      }
    }
    return { browser, pageS, matches };
  }
}

const NAME = new RegExp(`^(?:${MAIN}|${NEWS}[1-9][0-9]{0,9}|${OPT_OUT})$`);

/** The cookies of ours by name; of several under one name the first, which browsers send first. */
function oursOf(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (NAME.test(name) && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

function newsOf(partnerId: number): string {
  return `${NEWS}${partnerId}`;
}

function removed(name: string): string {
  return `${name}=; Max-Age=0; ${ATTRIBUTES}`;
}
