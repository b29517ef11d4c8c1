import type { ServerResponse } from 'node:http';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import { definedField, listField } from '../base/fields.ts';
import { backfillOf } from '../exchange/backfill.ts';
import type { MarkupKeeper } from '../exchange/kept-markup.ts';
import type { Space } from '../exchange/market.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';
import type { Refresh } from '../resources/refresh.ts';
import { answerDocument, answerJson, answerNothing, type AnswerDocument } from './answer.ts';
import { appDocument, DOCUMENT_HEADERS, emptyDocument, siteDocument } from './html-document.ts';
import { nativeAd, trackedNativeAd } from './native-answer.ts';
import type { Fill, SoldFill } from './tag-fill.ts';
import type { TagValues } from './tag-request.ts';
import { backfillVast, emptyVast, vastWrapper, type VastVersion } from './vast-wrapper.ts';

/** What answers are made with. */
export interface AnswerParts {
  readonly keeper: MarkupKeeper;
  /** Where pages and players reach exchange and tracker, without a slash at the end. */
  readonly exchangeUrl: string;
  readonly trackerUrl: string;
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
export interface Tag {
  readonly parts: AnswerParts;
  readonly response: ServerResponse;
  readonly space: Space;
  readonly values: TagValues;
}

/** What the ad space shows where nobody bought, in the first of the formats that it has something for. */
export function backfillFor(formats: number, { space, values }: Tag): Fill | null {
  for (const [format, name] of BACKFILLED) {
    const backfill = (formats & format) === 0 ? null : backfillOf(space, name);
    if (backfill === null) continue;
    const markup = name === 'video' ? backfillVast(vastVersion(values), backfill) : backfill;
    return {
      id: '',
      format: name,
      markup,
      w: null,
      h: null,
      adomain: [],
      crid: null,
      beacons: null,
    };
  }
  return null;
}

const BACKFILLED = [
  [FORMAT_BANNER, 'banner'],
  [FORMAT_VIDEO, 'video'],
  [FORMAT_NATIVE, 'native'],
] as const;

/** By `format` for `/ad`, else by the endpoint. */
export const KINDS: Readonly<Record<'html' | 'json' | 'banner' | 'vast' | 'native', Kind>> = {
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
  banner: {
    formats: FORMAT_BANNER,
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
      answerJson(response, 200, {
        native: beacons === null ? nativeAd(markup) : trackedNativeAd(markup, beacons),
      }),
    unfilled: ({ response }) => answerNothing(response),
  },
};

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
  const { refresh } = space.adSpace;
  answerJson(response, 200, {
    ...(beacons === null ? { backfill: true } : { id }),
    ad_space: String(space.adSpace.id),
    format,
    ...(format === 'native' ? {} : sizeOf(fill, space, values)),
    ...(format === 'native' ? { native: nativeAd(markup) } : { adm: markup }),
    ...definedField('beacons', beacons),
    ...listField('adomain', adomain),
    ...definedField('crid', crid),
    ...(refresh === null ? {} : { refresh: describeRefresh(refresh) }),
  });
}

function describeRefresh({ minSeconds, maxPerPage }: Refresh): object {
  return { min_seconds: minSeconds, ...definedField('max_per_page', maxPerPage) };
}

async function answerVast(fill: Fill, tag: Tag): Promise<void> {
  const { beacons } = fill;
  if (beacons === null) answerXml(tag.response, fill.markup);
  else await answerWrapper({ ...fill, beacons }, tag);
}

async function answerWrapper(
  fill: SoldFill,
  { parts, response, space, values }: Tag,
): Promise<void> {
  const { keeper, exchangeUrl, trackerUrl } = parts;
  const { id, markup, beacons } = fill;
  const key = await keeper.keep(markup);
  // Nobody could fetch it: the win expires unbilled.
  if (key === null) return answerXml(response, emptyVast(vastVersion(values)));
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
};

export function answerXml(response: ServerResponse, text: string): void {
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
