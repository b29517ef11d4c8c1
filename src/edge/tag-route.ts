import type { IncomingMessage, ServerResponse } from 'node:http';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, formatNames } from '../auction/formats.ts';
import type { Problem } from '../base/problem.ts';
import type { Caller } from '../exchange/facts.ts';
import type { MarkupKeeper } from '../exchange/kept-markup.ts';
import type { Space } from '../exchange/market.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { allowAnyPage, answerError, answerNothing, nameAuction } from './answer.ts';
import { holdAdmitted, isAdmitted } from './admitted.ts';
import type { ArrivedRequest, AuctionParts } from './auction-route.ts';
import { answerXml, backfillFor, KINDS, type AnswerParts, type Tag } from './tag-answers.ts';
import { readFill } from './tag-fill.ts';
import {
  AD_SPACE_POINTER,
  asParameters,
  readTagQuery,
  tagRequest,
  type TagValues,
} from './tag-request.ts';
import { readAuctionUser, setKeepsakes } from './user-matching.ts';

/** What the tags work with beyond what auctions do. */
export interface TagParts extends AuctionParts, AnswerParts {}

/** A tag's address, taken apart. */
export interface TagAddress {
  readonly endpoint: Endpoint;
  readonly adSpace: string;
  /** Without the question mark. */
  readonly query: string;
}

type Endpoint = 'ad' | 'vast' | 'native';

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ['ad', 'ad'],
  ['vast', 'vast'],
  ['native', 'native'],
]);

/** The tag that a request is for; null when it is for none. A slash at the end changes nothing. */
export function readTagAddress(url: string): TagAddress | null {
  const [, name = '', adSpace, query = ''] =
    /^\/(\w+)\/([^/?#]+)\/?(?:\?([^#]*))?(?:#|$)/.exec(url) ?? [];
  const endpoint = ENDPOINTS.get(name);
  return endpoint === undefined || adSpace === undefined ? null : { endpoint, adSpace, query };
}

/**
 * `GET /ad/{ad_space}`, `/vast/{ad_space}` and `/native/{ad_space}`: an auction for one impression,
 * asked for by a page, a player or an app itself. Its winner is final. HEAD and OPTIONS hold none.
 *
 * @param caller who sent the request, taken for the user's own device unless the query names another.
 */
export async function handleTag(
  parts: TagParts,
  address: TagAddress,
  caller: Caller,
  arrived: ArrivedRequest,
): Promise<void> {
  const { exchange, metrics } = parts;
  const { request, response } = arrived;
  const refuse = (problems: readonly Problem[]): void => {
    metrics.countFailed('invalid');
    answerError(response, 'invalid_parameter', problems);
  };
  const { market } = exchange;
  if (market === null) {
    metrics.countFailed('not_ready');
    return answerError(response, 'not_ready');
  }
  const query = readTagQuery(address.query);
  const space = market.space(address.adSpace);
  if (space === undefined) {
    const missing = `there is no ad space "${address.adSpace}"; the last part of the path is the id of an ad space`;
    const others = query.ok ? [] : query.problems;
    return refuse([{ pointer: AD_SPACE_POINTER, message: missing }, ...others]);
  }
  if (!query.ok) return refuse(query.problems);
  const values = query.value;
  const name = kindOf(address.endpoint, values);
  const kind = KINDS[name];
  const formats = space.formats & kind.formats;
  if (formats === 0) {
    return refuse([{ pointer: AD_SPACE_POINTER, message: wrongFormat(space, name) }]);
  }
  const asked = tagRequest(space, formats, values);
  if (!asked.ok) return refuse(asked.problems);
  if (request.method === 'HEAD') return answerHead(response, kind.contentType);

  const tag: Tag = { parts, response, space, values };
  const shown = { parts, kind, formats, tag };
  // It is no news for a page or a player that nobody bought.
  if (!isAdmitted(parts, space.publisher.id)) return answerUnfilled(shown);
  return holdAdmitted(parts, () => holdForTag(shown, asked.value, caller, arrived));
}

/** What a tag asked for, and how it is answered. */
interface ShownTag {
  readonly parts: TagParts;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly formats: number;
  readonly tag: Tag;
}

async function holdForTag(
  shown: ShownTag,
  asked: IncomingRequest,
  caller: Caller,
  { request, response, startMs }: ArrivedRequest,
): Promise<void> {
  const { parts, kind, tag } = shown;
  const { values } = tag;
  // With `ip` a server asks, whose cookies would be of nobody in front of a screen.
  const fromBrowser = !values.has('ip');
  const user = fromBrowser ? readAuctionUser(parts.users, request) : null;
  const known = { ...caller, fromBrowser, ...(user === null ? {} : { user: user.caller }) };
  const answer = await parts.exchange.hold(asked, known, startMs, true);
  if (user !== null && 'keepsakes' in answer) {
    setKeepsakes(parts.users, user, answer.keepsakes, response);
  }
  switch (answer.kind) {
    case 'filled':
      return kind.filled(readFill(answer.response), tag);
    case 'unfilled':
      nameAuction(response, answer.auctionId);
      return answerUnfilled(shown);
    case 'late':
      return answerUnfilled(shown);
    case 'invalid':
      return answerError(response, 'invalid_parameter', asParameters(answer.problems));
    case 'not_ready':
      return answerError(response, 'not_ready');
    case 'unrecorded':
      return answerError(response, 'journal_unavailable');
  }
}

function answerUnfilled({ kind, formats, tag }: ShownTag): void | Promise<void> {
  const backfill = backfillFor(formats, tag);
  return backfill === null ? kind.unfilled(tag) : kind.filled(backfill, tag);
}

/**
 * `GET /markup/{key}`: the partner's own VAST, as our wrapper names it. The policy keeps a browser
 * that opens it by itself from running anything in it.
 */
export async function handleMarkup(
  keeper: MarkupKeeper,
  key: string,
  response: ServerResponse,
): Promise<void> {
  const markup = await keeper.find(key);
  if (markup === null) return answerError(response, 'not_found');
  answerXml(response, markup);
}

/** What a browser asks first, and the methods that there are. True when that was all. */
export function isAnsweredByMethod(request: IncomingMessage, response: ServerResponse): boolean {
  allowAnyPage(request, response);
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  response.setHeader('allow', 'GET, HEAD, OPTIONS');
  if (request.method === 'OPTIONS') answerNothing(response);
  else answerError(response, 'method_not_allowed');
  return true;
}

function kindOf(endpoint: Endpoint, values: TagValues): keyof typeof KINDS {
  if (endpoint !== 'ad') return endpoint;
  const format = values.get('format');
  return format === 'json' || format === 'banner' ? format : 'html';
}

/** Where each format can be asked for, in the order of the bits of `formatNames`. */
const ADDRESSES: readonly (readonly [number, string])[] = [
  [FORMAT_VIDEO, '/vast'],
  [FORMAT_NATIVE, '/native'],
  [FORMAT_BANNER, '/ad'],
];

function wrongFormat({ adSpace, formats }: Space, kind: keyof typeof KINDS): string {
  const others = ADDRESSES.filter(([bit]) => (formats & bit) !== 0);
  const right = others.map(([, path]) => `${path}/${adSpace.id}`).join(' or ');
  return `takes ${formatNames(formats)}, which is no ${formatNames(KINDS[kind].formats)}; ask for it at ${right}`;
}

/** An answer without its body, and without an auction. */
function answerHead(response: ServerResponse, contentType: string): void {
  response.writeHead(200, { 'cache-control': 'no-store', 'content-type': contentType });
  response.end();
}
