import type { AdSpace, ExchangeSettings, Property } from '../../snapshot/entities.ts';
import type { ShownTag, ShownTags } from './schema.ts';

/** An ad space with what its tags say of its surroundings. */
export interface TaggedSpace {
  readonly adSpace: AdSpace;
  readonly property: Property;
  readonly gvlId: ExchangeSettings['gvlId'];
}

/**
 * The ways to ask for an ad in an ad space, ready to copy, as the guide for publishers shows them.
 * Macros stand where somebody else knows more: the exchange takes those that nobody fills as absent.
 *
 * @param exchangeUrl the public address of the exchange, without a slash at its end.
 */
export function tagsOf(exchangeUrl: string, space: TaggedSpace): ShownTags {
  const { adSpace, property } = space;
  const tags: ShownTag[] = [];
  if (adSpace.banner !== null && property.type === 'site') {
    tags.push(scriptTag(exchangeUrl, space), frameTag(exchangeUrl, space));
  }
  if (adSpace.banner !== null && property.type === 'app') tags.push(appTag(exchangeUrl, space));
  if (adSpace.video !== null) tags.push(vastTag(exchangeUrl, space));
  if (adSpace.native !== null) tags.push(nativeTag(exchangeUrl, space));
  tags.push(jsonTag(exchangeUrl, space), openRtbTag(exchangeUrl, space));
  return { exchange_url: exchangeUrl, tags };
}

function scriptTag(exchangeUrl: string, { adSpace }: TaggedSpace): ShownTag {
  const { w, h } = sizeOf(adSpace);
  const text = `<script async src="${exchangeUrl}/tag.js"></script>
<div data-rialto="${adSpace.id}" data-rialto-size="${w}x${h}"></div>`;
  const use =
    'Put the script into a page once, and an element like this where each of its ads is to be.';
  return { kind: 'script', use, text };
}

function frameTag(exchangeUrl: string, { adSpace }: TaggedSpace): ShownTag {
  const { w, h } = sizeOf(adSpace);
  const text = `<iframe
  src="${exchangeUrl}/ad/${adSpace.id}?w=${w}&h=${h}"
  width="${w}"
  height="${h}"
  title="Advertisement"
  style="border:0"
  scrolling="no"
></iframe>`;
  const use = 'Put the frame into a page that runs no script of ours.';
  return { kind: 'frame', use, text };
}

function appTag(exchangeUrl: string, { adSpace, property }: TaggedSpace): ShownTag {
  const query = [
    'ifa=[IFA]',
    'lmt=[LIMITADTRACKING]',
    ...(property.platform === null ? [] : [`os=${property.platform}`]),
    'mraidver=3',
    'sdkver=[SDKVERSION]',
  ];
  const text = `${exchangeUrl}/ad/${adSpace.id}?${query.join('&')}`;
  const use =
    'Let the app’s web view load it, with what the app knows in place of the macros; leave mraidver out where there is no MRAID.';
  return { kind: 'app', use, text };
}

function vastTag(exchangeUrl: string, { adSpace, property, gvlId }: TaggedSpace): ShownTag {
  const { w = 0, h = 0 } = adSpace.video ?? {};
  const query = [
    'vastver=3',
    `w=${w}`,
    `h=${h}`,
    ...(property.type === 'site' ? ['page=[PAGEURL]'] : ['ifa=[IFA]', 'lmt=[LIMITADTRACKING]']),
    `consent=\${GDPR_CONSENT_${gvlId ?? UNLISTED_VENDOR}}`,
  ];
  const text = `${exchangeUrl}/vast/${adSpace.id}?${query.join('&')}`;
  const use = 'Give it to the video player as its ad tag; vastver=2 if it takes VAST 2.0 alone.';
  return { kind: 'vast', use, text };
}

/** Ad servers fill in the consent string whoever the macro names. */
const UNLISTED_VENDOR = 123;

function nativeTag(exchangeUrl: string, { adSpace }: TaggedSpace): ShownTag {
  const use = 'Ask for it where the ad is rendered: the answer has its assets, and whom to call.';
  return { kind: 'native', use, text: `${exchangeUrl}/native/${adSpace.id}` };
}

function jsonTag(exchangeUrl: string, { adSpace }: TaggedSpace): ShownTag {
  const use =
    'Ask for it from your own server or script: the answer has the markup, and whom to call. From a server add the user’s ip and ua.';
  return { kind: 'json', use, text: `${exchangeUrl}/ad/${adSpace.id}?format=json` };
}

function openRtbTag(exchangeUrl: string, { adSpace, property }: TaggedSpace): ShownTag {
  const { banner, video, native } = adSpace;
  const imp = {
    id: '1',
    tagid: String(adSpace.id),
    secure: 1,
    ...(banner === null ? {} : { banner: sizeOf(adSpace) }),
    ...(video === null ? {} : { video: { w: video.w, h: video.h } }),
    ...(native === null ? {} : { native: {} }),
  };
  const owner = { id: String(property.id), publisher: { id: String(property.publisherId) } };
  const request = {
    id: 'your-request-id',
    imp: [imp],
    [property.type]: owner,
    device: { ip: '203.0.113.7', ua: 'the user agent', language: 'en' },
    tmax: 300,
  };
  const use = `POST it to ${exchangeUrl}/openrtb2/auction, with an id of each request and the device of the user.`;
  return { kind: 'openrtb', use, text: JSON.stringify(request, null, 2) };
}

/** The first size is the one that is asked for where nothing is said. */
function sizeOf({ banner }: AdSpace): { readonly w: number; readonly h: number } {
  const [size] = banner?.sizes ?? [];
  if (size === undefined) throw new Error('a banner has a size');
  return { w: size.w, h: size.h };
}
