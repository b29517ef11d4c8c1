import Type from 'typebox';
import { definedField } from '../base/fields.ts';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import { wellFormedJson } from '../base/well-formed-json.ts';
import { NATIVE_REQUEST_LENGTH_MAX } from '../openrtb/limits.ts';
import {
  NativeAssetRequestSchema,
  NativeRequestSchema,
  type NativeAssetRequest,
  type NativeRequest,
} from '../openrtb/native-request.ts';
import { readNativeRequest } from '../openrtb/read-native.ts';
import { createSendable } from '../openrtb/sendable.ts';

/** What an impression asks native ads for. */
export interface NativeOffer {
  readonly request: NativeRequest;
  /** The same as JSON, as bidders get it. */
  readonly text: string;
  /** What the publisher asks for besides and nobody here sells, with pointers into its request. */
  readonly leftOut: readonly Problem[];
}

/** Where the ad space has a request of its own for those that bring none. */
interface NativePlace {
  readonly own: NativeOffer;
  /** Pointer of the request that is read. */
  readonly pointer: string;
}

const sendableAsset = createSendable(NativeAssetRequestSchema);
const sendableContext = createSendable(
  Type.Pick(NativeRequestSchema, ['context', 'contextsubtype']),
);

/**
 * The native request of an impression: the publisher's own, of native 1.1 or 1.2, as a text or as an
 * object; without one that of its ad space. It goes out as 1.1 (spec, section 2.20), its assets with the
 * publisher's ids and with `required` as said: the one exception to "always 1".
 *
 * @param said `imp.native.request`
 */
export function nativeOfferOf(said: unknown, { own, pointer }: NativePlace): Checked<NativeOffer> {
  if (said === undefined || said === null || said === '') return { ok: true, value: own };
  const read = readNativeRequest(said, pointer);
  if (!read.ok) return read;
  const leftOut: Problem[] = [];
  const assets: NativeAssetRequest[] = [];
  for (const [index, asset] of read.value.assets.entries()) {
    const sent = sentAsset(asset);
    if (sent === null) leftOut.push(tellLeftOut(asset, said, pointer, index));
    else assets.push(sent);
  }
  if (assets.length === 0) {
    const message =
      'Found no asset that is sold here: a title, an image, or data of a listed kind.';
    return { ok: false, problems: [{ pointer, message }] };
  }
  const request: NativeRequest = {
    ver: '1.1',
    ...contextOf(read.value, own.request),
    plcmttype: 1,
    plcmtcnt: 1,
    seq: 0,
    assets,
  };
  const text = wellFormedJson(request);
  if (text.length > NATIVE_REQUEST_LENGTH_MAX) {
    const message = `Found assets that make ${text.length} characters; at most ${NATIVE_REQUEST_LENGTH_MAX} are sent to bidders.`;
    return { ok: false, problems: [{ pointer, message }] };
  }
  return { ok: true, value: { request, text, leftOut } };
}

/** The asset in words of 1.1; null for one of a video, or of a kind of data that no list names. */
function sentAsset(asset: NativeAssetRequest): NativeAssetRequest | null {
  const sent = sendableAsset(asset);
  if (sent?.title === undefined && sent?.img === undefined && sent?.data === undefined) return null;
  const { img, ...others } = sent;
  return img === undefined ? others : { ...others, img: sentImage(img) };
}

/** Of an exact and a least size the least goes out: the publisher takes both. Nothing is 0 wide. */
function sentImage(img: NonNullable<NativeAssetRequest['img']>): typeof img {
  const { w, h, wmin, hmin, ...others } = img;
  return {
    ...others,
    ...(wmin ? { wmin } : definedField('w', w || undefined)),
    ...(hmin ? { hmin } : definedField('h', h || undefined)),
  };
}

/** The tens of a subtype are its context (native 7.2); another one is not sent. */
function contextOf(
  said: NativeRequest,
  own: NativeRequest,
): Pick<NativeRequest, 'context' | 'contextsubtype'> {
  const { context, contextsubtype } = sendableContext(said) ?? own;
  const isSubtype = contextsubtype !== undefined && Math.floor(contextsubtype / 10) === context;
  return {
    ...definedField('context', context),
    ...definedField('contextsubtype', isSubtype ? contextsubtype : undefined),
  };
}

function tellLeftOut(
  { id, video }: NativeAssetRequest,
  said: unknown,
  pointer: string,
  index: number,
): Problem {
  const what = video === undefined ? 'is of a kind that no list names' : 'is a video';
  const message = `Asset ${id} ${what}, which is not sold here; it was left out.`;
  return {
    pointer: typeof said === 'string' ? pointer : pointer + jsonPointer('assets', index),
    message,
  };
}
