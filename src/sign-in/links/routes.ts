import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { RialtoError } from '../../base/errors.ts';
import { ownField } from '../../base/fields.ts';
import { answerOtherMethods } from '../../base/other-methods.ts';
import type { LinkOutcome, LinkUse } from '../../configuration/one-time-link-store.ts';
import { Allowance } from '../../identity/allowance.ts';
import { ADDRESS_RATE, networkOf } from '../../identity/guess-throttle.ts';
import { linkHash, type OpenLink } from '../../identity/one-time-links.ts';
import type { SecretHasher } from '../../identity/secret-hasher.ts';
import { serve } from '../../management/serve.ts';
import { problemsOfForm, readLinkForm, sentenceOf, type LinkForm } from './form.ts';
import {
  badPage,
  closedPage,
  donePage,
  failedPage,
  formPage,
  waitPage,
  type ShownApplication,
} from './pages.ts';
import { PAGE_HEADERS } from './page-frame.ts';

/** The longest password twice, every character of it percent-encoded, and the other fields. */
const BODY_BYTES_MAX = 32_768;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** How long somebody waits who came when too many secrets were being hashed. */
const BUSY_WAIT_SECONDS = 1;

/** What the pages of one-time links work with. */
export interface LinkParts {
  /** What a link opens at this moment; null for one that opens nothing. */
  readonly find: (token: string) => Promise<OpenLink | null>;
  /** Sets the password of the link's user, once. */
  readonly choosePassword: (use: LinkUse) => Promise<LinkOutcome>;
  /** Removes the second factor of the link's user, once. */
  readonly endSecondFactor: (token: string) => Promise<LinkOutcome>;
  /** Makes the first operator, once. */
  readonly createFirstOperator: (use: LinkUse & { readonly email: string }) => Promise<LinkOutcome>;
  /** Makes an application of a user; null where they have as many as anybody may. */
  readonly makeApplication: (userId: number, email: string) => Promise<ShownApplication | null>;
  /** Control's address that others see, without a slash at its end. */
  readonly authUrl: string;
  readonly hashSecret: SecretHasher;
  /** The client's address, behind the operator's proxies; null when it cannot be read. */
  readonly addressOf: (request: FastifyRequest) => string | null;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** A page with its status. */
interface Page {
  readonly status: 200 | 400 | 410 | 429 | 503;
  readonly text: string;
  readonly waitSeconds?: number;
}

const CLOSED: Page = { status: 410, text: closedPage() };

/**
 * The page of one-time links, `/v2/auth/link/?token=…`: a form on which a person chooses a password.
 * To open it changes nothing, since mail programs open links by themselves; the form's POST has the
 * token in its body.
 */
export function registerLinks(app: FastifyInstance, parts: LinkParts): void {
  const service = new LinkService(parts);
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      async (_request: FastifyRequest, body: string) => ({ form: body }),
    );
    pages.addHook('onRequest', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    pages.setErrorHandler((error, request, reply) => answerError(error, { request, reply, parts }));
    const path = '/v2/auth/link';
    serve(pages, { method: 'GET', path }, async (request, reply) =>
      answer(reply, await service.open(request)),
    );
    serve(pages, { method: 'POST', path }, async (request, reply) =>
      answer(reply, await service.use(request)),
    );
    answerOtherMethods(pages, path, ['GET', 'POST']);
  });
}

function answer(reply: FastifyReply, { status, text, waitSeconds }: Page): FastifyReply {
  if (waitSeconds !== undefined) reply.header('retry-after', String(waitSeconds));
  return reply.code(status).send(text);
}

/** What is wrong with a body is told on a page; what was not foreseen is logged. */
function answerError(
  error: unknown,
  {
    request,
    reply,
    parts,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly parts: LinkParts },
): FastifyReply {
  if (error instanceof RialtoError && error.code === 'overloaded') {
    const waitSeconds = BUSY_WAIT_SECONDS;
    return answer(reply, { status: 503, text: waitPage(waitSeconds), waitSeconds });
  }
  const status = error instanceof RialtoError ? error.status : ownField(error, 'statusCode');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return reply.code(status).send(badPage());
  }
  // Without its address, in which the token stands.
  parts.logger.error({ err: error, method: request.method }, 'the page of a link failed');
  return reply.code(500).send(failedPage());
}

/** Does what the pages say. */
class LinkService {
  readonly #parts: LinkParts;
  /** Links that are none, by network: as many as wrong secrets for all clients. */
  readonly #misses = new Allowance(ADDRESS_RATE);
  /** The links whose passwords are being hashed. */
  readonly #underWay = new Map<string, Promise<Page>>();

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  async open(request: FastifyRequest): Promise<Page> {
    const token = ownField(request.query, 'token');
    return this.#withLink(request, typeof token === 'string' ? token : '', async (link) => ({
      status: 200,
      text: formPage({ link, token: String(token), email: '', problems: [] }),
    }));
  }

  async use(request: FastifyRequest): Promise<Page> {
    const body = ownField(request.body, 'form');
    const form = typeof body === 'string' ? readLinkForm(body) : null;
    if (form === null) return { status: 400, text: badPage() };
    return this.#withLink(request, form.token, async (link) => {
      const problems = problemsOfForm(form, link);
      return problems.length > 0 ? again(link, form, problems) : this.#oneAtATime(link, form);
    });
  }

  /** Links that open nothing are counted, and too many of them keep their network waiting. */
  async #withLink(
    request: FastifyRequest,
    token: string,
    then: (link: OpenLink) => Promise<Page>,
  ): Promise<Page> {
    const { addressOf, find, now } = this.#parts;
    const network = networkOf(addressOf(request));
    const waitMs = this.#misses.waitMs(network, now());
    if (waitMs > 0) {
      const waitSeconds = Math.ceil(waitMs / 1_000);
      return { status: 429, text: waitPage(waitSeconds), waitSeconds };
    }
    this.#misses.take(network, now());
    const link = await find(token);
    if (link === null) return CLOSED;
    this.#misses.giveBack(network);
    return then(link);
  }

  /** A link's second form waits for its first: nobody makes the process hash by sending many. */
  async #oneAtATime(link: OpenLink, form: LinkForm): Promise<Page> {
    const key = linkHash(form.token);
    const first = this.#underWay.get(key);
    if (first !== undefined) return (await first).status === 200 ? CLOSED : first;
    const page = this.#choose(link, form).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, page);
    return page;
  }

  async #choose(link: OpenLink, form: LinkForm): Promise<Page> {
    const outcome = await this.#apply(link, form);
    switch (outcome.outcome) {
      case 'done':
        return { status: 200, text: await this.#done(link, form, outcome) };
      case 'closed':
        return CLOSED;
      case 'refused':
        return again(link, form, outcome.findings.map(sentenceOf));
    }
  }

  async #apply(link: OpenLink, { token, password, email }: LinkForm): Promise<LinkOutcome> {
    const { hashSecret, choosePassword, createFirstOperator, endSecondFactor } = this.#parts;
    if (link.purpose === 'second_factor') return endSecondFactor(token);
    const passwordHash = await hashSecret(password);
    return link.user === null
      ? createFirstOperator({ token, passwordHash, email })
      : choosePassword({ token, passwordHash });
  }

  /** The password is set: an application that cannot be made now can be made later. */
  async #done(
    link: OpenLink,
    { wantsApplication }: LinkForm,
    { userId, email }: { readonly userId: number; readonly email: string },
  ): Promise<string> {
    const { makeApplication, authUrl } = this.#parts;
    const isMade = wantsApplication && link.offersApplication;
    const application = isMade ? await makeApplication(userId, email) : null;
    return donePage({ link, email, authUrl, application });
  }
}

/** The form once more, with what has to change. */
function again(link: OpenLink, { token, email }: LinkForm, problems: readonly string[]): Page {
  return { status: 400, text: formPage({ link, token, email, problems }) };
}
