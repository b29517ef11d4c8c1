import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { drainServer } from '../base/drain-server.ts';
import {
  answerBrokenRequest,
  CONNECTIONS_MAX,
  HTTP_OPTIONS,
  isTransferKnown,
} from '../base/http-server.ts';
import type { ReadClientAddress } from '../enrich/client-address.ts';
import type { Caller } from '../exchange/facts.ts';
import { answerError, answerNothing, answerText } from './answer.ts';
import { UNKNOWN_PUBLISHER } from './admission.ts';
import { admitByBody, holdAdmitted, isAdmitted } from './admitted.ts';
import {
  AUCTION_BODY_BYTES_MAX,
  handleAuction,
  type ArrivedRequest,
  type HttpPair,
} from './auction-route.ts';
import { BodyReader } from './read-body.ts';
import { refuseOverloaded } from './refuse.ts';
import { createSellersRoute } from './sellers-route.ts';
import { answerTagFile } from './tag-files.ts';
import {
  handleMarkup,
  handleTag,
  isAnsweredByMethod,
  readTagAddress,
  type TagAddress,
  type TagParts,
} from './tag-route.ts';
import { handleOptOut } from './opt-out-route.ts';
import { handleSetuid } from './setuid-route.ts';
import { handleSync } from './sync-route.ts';
import type { UserPair, UserParts } from './user-matching.ts';

/** How long an idle connection may wait for its last request while the process drains. */
const DRAIN_IDLE_MS = 1_500;

/** Where our VAST wrappers lead to. */
const MARKUP_PATH = '/markup/';

export interface EdgeParts extends TagParts {
  readonly clientAddress: ReadClientAddress;
  readonly logger: Logger;
}

/** The exchange's HTTP server, and how it stops. */
export interface Edge {
  readonly server: Server;
  /** Takes no new connections, answers what is under way, and resolves when all is quiet. */
  drain(): Promise<void>;
}

/** Serves ad requests on plain `node:http`: the hot path has no room for a framework. */
export function createEdge(parts: EdgeParts): Edge {
  const { admission, exchange, logger } = parts;
  let draining = false;
  /** Open connections, and the answer to the last request on each; null once it is through. */
  const sockets = new Map<Socket, ServerResponse | null>();
  const sellers = createSellersRoute();

  const server = createServer(HTTP_OPTIONS, (request, response) => {
    const { socket } = request;
    if (draining) {
      endAfterAnswer(sockets.get(socket), false);
      endAfterAnswer(response, true);
    }
    sockets.set(socket, response);
    response.once('close', () => {
      if (sockets.get(socket) === response) sockets.set(socket, null);
    });
    route(request, response).catch((error: unknown) => {
      // Not the query: a tag has the user's data in it.
      logger.error({ err: error, path: pathOf(request.url ?? '/') }, 'a request failed');
      if (!response.headersSent) answerError(response, 'internal');
      else response.destroy();
    });
  });

  server.on('connection', (socket) => {
    sockets.set(socket, null);
    socket.once('close', () => sockets.delete(socket));
  });
  server.maxConnections = CONNECTIONS_MAX.exchange;
  server.on('clientError', answerBrokenRequest);

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? '/');
    if (!isTransferKnown(request)) return answerError(response, 'unknown_transfer_coding');
    switch (path) {
      case '/openrtb2/auction':
        return auction({ request, response, startMs: admission.arrivalMs() });
      case '/sellers.json':
        return sellers({ request, response }, exchange.market);
      case '/sync':
        return matchUser(handleSync, { request, response });
      case '/setuid':
        return matchUser(handleSetuid, { request, response });
      case '/optout':
        if (!isMethod(request, response, ['GET', 'POST'])) return;
        return handleOptOut(parts.users, { request, response });
      case '/livez':
        return answerText(response, 200, 'ok\n');
      case '/readyz':
        if (exchange.market === null) return answerError(response, 'not_ready');
        if (exchange.unrecordable() !== null) return answerError(response, 'journal_unavailable');
        return answerText(response, 200, 'ok\n');
      default:
        return other({ request, response }, path);
    }
  }

  async function other(pair: HttpPair, path: string): Promise<void> {
    const { request, response } = pair;
    if (answerTagFile(path, request, response)) return;
    const address = readTagAddress(request.url ?? '/');
    if (address !== null) return tag(pair, address);
    const key = path.startsWith(MARKUP_PATH) ? path.slice(MARKUP_PATH.length) : '';
    if (key === '') return answerError(response, 'not_found');
    if (isAnsweredByMethod(request, response)) return;
    return handleMarkup(parts.keeper, key, response);
  }

  async function tag(pair: HttpPair, address: TagAddress): Promise<void> {
    const { request, response } = pair;
    if (isAnsweredByMethod(request, response)) return;
    const startMs = admission.arrivalMs();
    return handleTag(parts, address, callerOf(request), { ...pair, startMs });
  }

  /** Whose request it is matters only while there may not be time for all. */
  async function auction(arrived: ArrivedRequest): Promise<void> {
    const { request, response } = arrived;
    allowBrowsers(request, response);
    if (request.method === 'OPTIONS') return answerNothing(response);
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST, OPTIONS');
      return answerError(response, 'method_not_allowed');
    }
    let body: BodyReader | null = null;
    if (admission.isPressed) {
      body = new BodyReader(request, AUCTION_BODY_BYTES_MAX);
      const refuse = (): void => refuseOverloaded(arrived);
      if (!(await admitByBody(parts, body, exchange.market, refuse))) return;
    } else if (!isAdmitted(parts, UNKNOWN_PUBLISHER)) {
      return refuseOverloaded(arrived);
    }
    return holdAdmitted(parts, () => handleAuction(parts, callerOf(request), { ...arrived, body }));
  }

  function matchUser(
    handle: (users: UserParts, pair: UserPair) => void,
    { request, response }: HttpPair,
  ): void {
    if (!isMethod(request, response, ['GET'])) return;
    const { market } = exchange;
    if (market === null) return answerError(response, 'not_ready');
    handle(parts.users, { request, response, snapshot: market.snapshot });
  }

  function callerOf(request: IncomingMessage): Caller {
    const { headers, socket } = request;
    const { ip, secure } = parts.clientAddress(
      socket.remoteAddress,
      oneHeader(headers['x-forwarded-for']),
      oneHeader(headers['x-forwarded-proto']),
    );
    const fromBrowser = headers.origin !== undefined;
    const {
      'user-agent': userAgent = null,
      referer = null,
      'accept-language': acceptLanguage = null,
    } = headers;
    return { ip, secure, fromBrowser, userAgent, referer, acceptLanguage };
  }

  return {
    server,
    drain: () => {
      draining = true;
      for (const last of sockets.values()) endAfterAnswer(last, true);
      return drainServer(server, {
        idleMs: DRAIN_IDLE_MS,
        isBusy: () => admission.figures.auctionsUnderWay > 0,
      });
    },
  };
}

/**
 * A client that gets its answer now must not send the next request to a process that is about to end.
 * An answer with which the connection ends must be the last of it: those behind it would be lost.
 */
function endAfterAnswer(answer: ServerResponse | null | undefined, isLast: boolean): void {
  if (answer === null || answer === undefined || answer.headersSent) return;
  if (isLast) answer.setHeader('connection', 'close');
  else answer.removeHeader('connection');
}

/** Both forms of a path are the same, with and without the slash at its end. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Answers itself where the method is another one. */
function isMethod(
  request: IncomingMessage,
  response: ServerResponse,
  methods: readonly string[],
): boolean {
  if (methods.includes(request.method ?? '')) return true;
  response.setHeader('allow', methods.join(', '));
  answerError(response, 'method_not_allowed');
  return false;
}

/** A header that was sent several times, as one. */
function oneHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(',') : value;
}

/** Header bidding wrappers call from any page, with the cookies of user matching. */
function allowBrowsers(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    'content-type, content-encoding, x-openrtb-version',
  );
  response.setHeader('access-control-max-age', '86400');
}
