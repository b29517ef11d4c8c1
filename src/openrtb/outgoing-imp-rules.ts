import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonPointer } from '../base/problem.ts';
import type { Banner, Format } from './banner.ts';
import { addProblem, explain, type Explanation } from './explain.ts';
import type { Imp } from './imp.ts';
import {
  NativeRequestSchema,
  type NativeAssetRequest,
  type NativeRequest,
} from './native-request.ts';
import type { Deal, Pmp } from './pmp.ts';
import { nodeOf } from './schema-node.ts';
import { strictSchema } from './strict-schema.ts';
import { VideoProtocol } from './video-lists.ts';
import type { Video } from './video.ts';

/** Checks what spans the fields of an impression that the exchange is about to send. */
export function explainImp(imp: Imp, pointer: string, explanation: Explanation): void {
  const { banner, video, native, pmp } = imp;
  if (banner === undefined && video === undefined && native === undefined) {
    const message = 'An impression offers a "banner", a "video" or, in 2.5, a "native".';
    addProblem(explanation, { pointer, message });
  }
  if (banner !== undefined) explainBanner(banner, `${pointer}/banner`, explanation);
  if (video !== undefined) explainVideo(video, `${pointer}/video`, explanation);
  if (native !== undefined) explainNative(native.request, `${pointer}/native/request`, explanation);
  if (pmp !== undefined) explainPmp(pmp, `${pointer}/pmp`, explanation);
}

/** Sections 2.6 and 2.10. */
function explainBanner(banner: Banner, pointer: string, explanation: Explanation): void {
  for (const field of ['id', 'vcm'] as const) {
    if (banner[field] === undefined) continue;
    const message = `"${field}" is for companion banners inside a video only.`;
    addProblem(explanation, { pointer: `${pointer}/${field}`, message });
  }
  for (const [index, format] of (banner.format ?? []).entries()) {
    if (isAbsolute(format) !== isRelative(format)) continue;
    const message = 'A format has either "w" and "h", or "wratio" and "hratio" with "wmin".';
    addProblem(explanation, { pointer: pointer + jsonPointer('format', index), message });
  }
}

/** A half of either kind counts as neither or both, so that it is refused. */
function isAbsolute({ w, h, wratio, hratio, wmin }: Format): boolean {
  const isOther = wratio !== undefined || hratio !== undefined || wmin !== undefined;
  return w !== undefined && h !== undefined && !isOther;
}

function isRelative({ w, h, wratio, hratio }: Format): boolean {
  return wratio !== undefined && hratio !== undefined && w === undefined && h === undefined;
}

/** Section 2.7. */
function explainVideo(video: Video, pointer: string, explanation: Explanation): void {
  const { protocols, minbitrate = 0, maxbitrate = Infinity } = video;
  const hasVast2 = [VideoProtocol.Vast2, VideoProtocol.Vast2Wrapper].every((protocol) =>
    protocols?.includes(protocol),
  );
  if (!hasVast2) {
    const message = 'The exchange always offers VAST 2.0 and its wrapper, 2 and 5.';
    addProblem(explanation, { pointer: `${pointer}/protocols`, message });
  }
  if (video.minduration > video.maxduration) {
    const message = `Found ${video.minduration}, which is above "maxduration" ${video.maxduration}.`;
    addProblem(explanation, { pointer: `${pointer}/minduration`, message });
  }
  if (minbitrate > maxbitrate) {
    const message = `Found ${minbitrate}, which is above "maxbitrate" ${maxbitrate}.`;
    addProblem(explanation, { pointer: `${pointer}/minbitrate`, message });
  }
}

/** Sections 2.11 and 2.12. */
function explainPmp({ deals }: Pmp, pointer: string, explanation: Explanation): void {
  if (deals === undefined) {
    const message = 'A private auction without deals would silence everybody; name its deals.';
    addProblem(explanation, { pointer: `${pointer}/deals`, message });
    return;
  }
  for (const [index, deal] of deals.entries()) {
    const at = pointer + jsonPointer('deals', index);
    explainDeal(deal, deals.slice(0, index), at, explanation);
  }
}

function explainDeal(
  deal: Deal,
  before: readonly Deal[],
  pointer: string,
  explanation: Explanation,
): void {
  if (before.some(({ id }) => id === deal.id)) {
    const message = `Found "${deal.id}" again; a deal is named once.`;
    addProblem(explanation, { pointer: `${pointer}/id`, message });
  }
  if (deal.at === 3 && deal.bidfloor === undefined) {
    const message = 'A fixed-price deal says its price in "bidfloor".';
    addProblem(explanation, { pointer: `${pointer}/bidfloor`, message });
  }
}

const nativeNode = strictSchema(nodeOf(NativeRequestSchema));
const nativeShape = Compile(Type.Unsafe<NativeRequest>(nativeNode));

/** Section 2.20. The payload is a text, so the pointers into it stand in the message. */
export function explainNative(text: string, pointer: string, explanation: Explanation): void {
  const inner: Explanation = { problems: [], problemsMax: explanation.problemsMax };
  const request = parse(text);
  if (request === undefined) {
    addProblem(explanation, { pointer, message: 'Found a text that is not JSON.' });
    return;
  }
  if (nativeShape.Check(request)) explainAssets(request.assets, inner);
  else explain(nativeNode, request, '', inner);
  for (const problem of inner.problems) {
    const message = `In the native request at "${problem.pointer}": ${problem.message}`;
    addProblem(explanation, { pointer, message });
  }
}

/** What the text says, or undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explainAssets(assets: readonly NativeAssetRequest[], explanation: Explanation): void {
  const ids = new Set<number>();
  for (const [index, { id, title, img, data }] of assets.entries()) {
    const pointer = jsonPointer('assets', index);
    if (ids.has(id)) {
      const message = `Found ${id} again; the id of an asset must be unique.`;
      addProblem(explanation, { pointer: `${pointer}/id`, message });
    }
    ids.add(id);
    if ([title, img, data].filter((kind) => kind !== undefined).length !== 1) {
      const message = 'An asset is exactly one of "title", "img" and "data".';
      addProblem(explanation, { pointer, message });
    }
    if (img === undefined) continue;
    for (const [exact, minimum] of [
      ['w', 'wmin'],
      ['h', 'hmin'],
    ] as const) {
      if (img[exact] === undefined || img[minimum] === undefined) continue;
      const message = `An image asks for "${exact}" or for "${minimum}", not for both.`;
      addProblem(explanation, { pointer: `${pointer}/img`, message });
    }
  }
}
