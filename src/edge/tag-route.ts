import type { IncomingMessage, ServerResponse } from 'node:http';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO, formatNames } from '../auction/formats.ts';
import { definedField, listField } from '../base/fields.ts';
import type { Problem } from '../base/problem.ts';
import type { Caller } from '../exchange/facts.ts';
import type { MarkupKeeper } from '../exchange/kept-markup.ts';
import type { Space } from '../exchange/market.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';
import {
  answerDocument,
  answerError,
  answerJson,
  answerNothing,
  allowAnyPage,
  type AnswerDocument,
} from './answer.ts';
import type { AuctionParts, HttpPair } from './auction-route.ts';
import { appDocument, DOCUMENT_HEADERS, emptyDocument, siteDocument } from './html-document.ts';
import { nativeAd, trackedNativeAd } from './native-answer.ts';
import { readFill, type Fill } from './tag-fill.ts';
import {
  AD_SPACE_POINTER,
  asParameters,
  readTagQuery,
  tagRequest,
  type TagValues,
} from './tag-request.ts';
import { emptyVast, vastWrapper, type VastVersion } from './vast-wrapper.ts';

/** What the tags work with beyond what auctions do. */
export interface TagParts extends AuctionParts {
  readonly keeper: MarkupKeeper;
  /** Where pages and players reach exchange and tracker, without a slash at the end. */
  readonly exchangeUrl: string;
  readonly trackerUrl: string;
}

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

/** How one kind of answer is asked for and given. */
interface Kind {
  /** The formats that it can show. */
  readonly formats: number;
  readonly contentType: string;
  readonly filled: (fill: Fill, tag: Tag) => void | Promise<void>;
  readonly unfilled: (tag: Tag) => void;
}

/** A tag's request, all of it checked. */
interface Tag {
  readonly parts: TagParts;
  readonly response: ServerResponse;
  readonly space: Space;
  readonly values: TagValues;
}

/** By `format` for `/ad`, else by the endpoint. */
const KINDS: Readonly<Record<'html' | 'json' | 'vast' | 'native', Kind>> = {
  html: {
    formats: FORMAT_BANNER,
    contentType: DOCUMENT_HEADERS['content-type'],
    filled: answerHtml,
    unfilled: answerEmptyHtml,
  },
  json: {
    formats: FORMAT_BANNER | FORMAT_VIDEO | FORMAT_NATIVE,
    contentType: 'application/json',
    filled: answerAdAsJson,
    unfilled: ({ response }) => answerNothing(response),
  },
  vast: {
    formats: FORMAT_VIDEO,
    contentType: 'application/xml; charset=utf-8',
    filled: answerVast,
    unfilled: ({ response, values }) => answerXml(response, emptyVast(vastVersion(values))),
  },
  native: {
    formats: FORMAT_NATIVE,
    contentType: 'application/json',
    filled: ({ markup, beacons }, { response }) =>
      answerJson(response, 200, { native: trackedNativeAd(markup, beacons) }),
    unfilled: ({ response }) => answerNothing(response),
  },
};

/**
 * `GET /ad/{ad_space}`, `/vast/{ad_space}` and `/native/{ad_space}`: an auction for one impression,
 * asked for by a page, a player or an app itself. Its winner is final. HEAD and OPTIONS hold none.
 *
 * @param caller who sent the request, taken for the user's own device unless the query names another.
 * @param startMs when the request's headers arrived, on the monotonic clock.
 */
export async function handleTag(
  parts: TagParts,
  address: TagAddress,
  caller: Caller,
  { request, response, startMs }: HttpPair & { readonly startMs: number },
): Promise<void> {
  const { exchange, metrics } = parts;
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

  const fromDevice = { ...caller, fromBrowser: !values.has('ip') };
  const answer = await exchange.hold(asked.value, fromDevice, startMs, true);
  const tag: Tag = { parts, response, space, values };
  switch (answer.kind) {
    case 'filled':
      return kind.filled(readFill(answer.response), tag);
    case 'unfilled':
      return kind.unfilled(tag);
    case 'invalid':
      return answerError(response, 'invalid_parameter', asParameters(answer.problems));
    case 'not_ready':
      return answerError(response, 'not_ready');
    case 'unrecorded':
      return answerError(response, 'journal_unavailable');
  }
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
  return values.get('format') === 'json' ? 'json' : 'html';
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

function answerHtml(fill: Fill, { response, space, values }: Tag): void {
  const { w, h } = sizeOf(fill, space, values);
  const shown = { fill, adSpace: String(space.adSpace.id), w, h };
  const text =
    space.property.type === 'app'
      ? appDocument(shown, values.has('mraidver'))
      : siteDocument(shown);
  answerDocument(response, { text, headers: DOCUMENT_HEADERS });
}

/**
 * A frame in a page gets a document that tells the page to take it away, which no status can do; an
 * app asks by itself and reads the status.
 */
function answerEmptyHtml({ response, space }: Tag): void {
  if (space.property.type === 'app') return answerNothing(response);
  const text = emptyDocument(String(space.adSpace.id));
  answerDocument(response, { text, headers: DOCUMENT_HEADERS });
}

/** The ad and its beacons, for who shows it himself. The price is nobody's business in a page. */
function answerAdAsJson(fill: Fill, { response, space, values }: Tag): void {
  const { id, format, markup, adomain, crid, beacons } = fill;
  answerJson(response, 200, {
    id,
    ad_space: String(space.adSpace.id),
    format,
    ...(format === 'native' ? {} : sizeOf(fill, space, values)),
    ...(format === 'native' ? { native: nativeAd(markup) } : { adm: markup }),
    beacons,
    ...listField('adomain', adomain),
    ...definedField('crid', crid),
  });
}

async function answerVast(fill: Fill, { parts, response, space, values }: Tag): Promise<void> {
  const { keeper, exchangeUrl, trackerUrl } = parts;
  const { id, markup, beacons } = fill;
  const key = await keeper.keep(markup);
  // Whoever has the view's address may tell of events: they count for nobody's money.
  const token = beacons.view.slice(beacons.view.lastIndexOf('/') + 1);
  const text = vastWrapper(vastVersion(values), {
    id,
    markupUrl: `${exchangeUrl}/markup/${key}`,
    impressionUrl: beacons.impression,
    clickUrl: beacons.click,
    eventUrl: (event) => `${trackerUrl}/event/${event}/${token}`,
    nonLinear: (values.get('linearity') ?? space.adSpace.video?.linearity) === NON_LINEAR,
  });
  answerXml(response, text);
}

/** List 5.7. */
const NON_LINEAR = 2;

const XML: AnswerDocument['headers'] = {
  'content-type': 'application/xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

function answerXml(response: ServerResponse, text: string): void {
  answerDocument(response, { text, headers: XML });
}

function vastVersion(values: TagValues): VastVersion {
  const protocols = values.get('vastver');
  return Array.isArray(protocols) && protocols.includes(VideoProtocol.Vast3) ? '3.0' : '2.0';
}

/** The bid's size, else what the tag asked for if the ad space has it, else the ad space's first. */
function sizeOf(
  { w, h, format }: Fill,
  { adSpace }: Space,
  values: TagValues,
): { readonly w: number; readonly h: number } {
  if (w !== null && h !== null && w > 0 && h > 0) return { w, h };
  const player = adSpace.video === null ? [] : [{ w: adSpace.video.w, h: adSpace.video.h }];
  const sizes = format === 'video' ? player : (adSpace.banner?.sizes ?? []);
  const asked = sizes.find((size) => size.w === values.get('w') && size.h === values.get('h'));
  const size = asked ?? sizes[0];
  if (size === undefined) throw new Error(`ad space ${adSpace.id} has no size for a ${format}`);
  return { w: size.w, h: size.h };
}
