import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import type { LiveSession } from '../../identity/session-store.ts';
import { csrfTokenOf, type Sessions } from '../../identity/sessions.ts';
import { neededScope } from '../../management/authenticate.ts';
import type { SessionCookie } from './cookie.ts';

/** A session that a request has come with. */
export interface OpenSession {
  readonly id: string;
  readonly session: LiveSession;
}

/** Lets browsers in by their sessions, and no other sites with them. */
export class SessionDoor {
  readonly #cookie: SessionCookie;
  readonly #sessions: Pick<Sessions, 'find' | 'noteUse'>;

  constructor(cookie: SessionCookie, sessions: Pick<Sessions, 'find' | 'noteUse'>) {
    this.#cookie = cookie;
    this.#sessions = sessions;
  }

  /** The id that a request has brought, good or not; null for a request without the cookie. */
  idOf({ headers }: FastifyRequest): string | null {
    return this.#cookie.read(headers.cookie);
  }

  /**
   * The session of a request, which is used by it unless nobody attends to the page; null for one without the cookie.
   *
   * @throws RialtoError when the session has ended, when another site may have made the browser send
   *   the request, and when it changes something without showing the session's own token.
   */
  async enter(request: FastifyRequest): Promise<OpenSession | null> {
    const id = this.idOf(request);
    if (id === null) return null;
    refuseCrossSite(request);
    const session = await this.#sessions.find(id);
    if (session === null) throw new RialtoError('session_expired');
    requireCsrfToken(request, id);
    return { id, session: await this.noteUse(request, session) };
  }

  /** Notes that a person uses the session: what a page asks for by itself is no use of it. */
  async noteUse({ headers }: FastifyRequest, session: LiveSession): Promise<LiveSession> {
    return headers['x-unattended'] === '1' ? session : this.#sessions.noteUse(session);
  }

  /**
   * As `enter`, of a request of the management API.
   *
   * @throws RialtoError as well when it changes something, and its user lacks the second factor that
   *   the exchange requires for that.
   */
  async enterApi(request: FastifyRequest): Promise<OpenSession | null> {
    const open = await this.enter(request);
    if (open === null || neededScope(request) === 'read') return open;
    const { isSetUp, isRequired } = open.session.secondFactor;
    if (isRequired && !isSetUp) throw new RialtoError('second_factor_required');
    return open;
  }

  /** As `enter`, of a request that says nothing without its session. */
  async enterSignedIn(request: FastifyRequest): Promise<OpenSession> {
    const open = await this.enter(request);
    if (open === null) throw new RialtoError('session_expired');
    return open;
  }
}

/** What a page of control sends, and what a person does without any page. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/**
 * Browsers say which site has made them send a request, and pages cannot make them say another thing;
 * programs, and browsers of before 2023, say nothing.
 *
 * @throws RialtoError for what another site has sent, be it one of the same domain.
 */
function refuseCrossSite({ headers }: FastifyRequest): void {
  if (!OWN_SITES.has(headers['sec-fetch-site'])) throw new RialtoError('cross_site_request');
}

/**
 * For a sign-in, which no session's token can protect: another site must not sign visitors in as
 * somebody else. Browsers that do not name the site name the origin.
 *
 * @param authUrl control's address that others see; a proxy may have changed the host.
 * @throws RialtoError for what a page of another origin has sent.
 */
export function refuseOtherOrigins(request: FastifyRequest, authUrl: string): void {
  refuseCrossSite(request);
  const { origin, host } = request.headers;
  if (origin === undefined) return;
  const url = URL.parse(origin);
  const isOwn = url !== null && (url.host === host || url.origin === URL.parse(authUrl)?.origin);
  if (!isOwn) throw new RialtoError('cross_site_request');
}

/**
 * @throws RialtoError for a request that may change something and does not show the token that follows
 *   from its session, which pages of other origins cannot know.
 */
export function requireCsrfToken({ method, headers }: FastifyRequest, sessionId: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  const shown = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const own = Buffer.from(csrfTokenOf(sessionId));
  const isOwn = shown.length === own.length && timingSafeEqual(shown, own);
  if (!isOwn) throw new RialtoError('invalid_csrf_token');
}
