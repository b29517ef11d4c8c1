import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parseJson } from '../base/json.ts';
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
import { isRecord, nodeOf } from './schema-node.ts';
import { strictSchema } from './strict-schema.ts';
import { VideoProtocol } from './video-lists.ts';
import type { Video } from './video.ts';

/** Checks what spans the fields of an impression that the exchange is about to send. */
export function explainImp(imp: Imp, pointer: string, explanation: Explanation): void {
  const { banner, video, native, pmp } = imp;
  // In 2.2 a native ad stands in the extension, also alone, for bidders that agreed to it.
  const hasNative = native !== undefined || (isRecord(imp.ext) && imp.ext['native'] !== undefined);
  if (banner === undefined && video === undefined && !hasNative) {
    const message = 'Found no "banner", "video" or "native"; an impression offers one of them.';
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
    const message = `Found "${field}", which is allowed for companion banners inside a video only.`;
    addProblem(explanation, { pointer: `${pointer}/${field}`, message });
  }
  explainSizes(banner, pointer, explanation);
}

/** The sizes of a banner, also of one inside a video: each format of one kind, each range upright. */
function explainSizes(banner: Banner, pointer: string, explanation: Explanation): void {
  for (const [index, format] of (banner.format ?? []).entries()) {
    if (isAbsolute(format) !== isRelative(format)) continue;
    const found = Object.keys(format).join(', ');
    const message = `Found ${found}; a format has either "w" and "h", or "wratio" and "hratio" with "wmin".`;
    addProblem(explanation, { pointer: pointer + jsonPointer('format', index), message });
  }
  for (const [lowest, highest] of [
    ['wmin', 'wmax'],
    ['hmin', 'hmax'],
  ] as const) {
    explainRange(banner, [lowest, highest], pointer, explanation);
  }
}

/** Adds a problem where the lower end of a range is above its upper end. */
function explainRange<Name extends string>(
  range: { readonly [Field in Name]?: number },
  [lowest, highest]: readonly [Name, Name],
  pointer: string,
  explanation: Explanation,
): void {
  const from = range[lowest];
  const to = range[highest];
  if (from === undefined || to === undefined || from <= to) return;
  const message = `Found ${from}, which is above "${highest}" ${to}; allowed is at most that.`;
  addProblem(explanation, { pointer: `${pointer}/${lowest}`, message });
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
  const { protocols, companionad = [] } = video;
  const hasVast2 = [VideoProtocol.Vast2, VideoProtocol.Vast2Wrapper].every((protocol) =>
    protocols?.includes(protocol),
  );
  if (!hasVast2) {
    const found = protocols?.join(', ') ?? 'none';
    const message = `Found ${found}; VAST 2.0 and its wrapper, 2 and 5, are always among them.`;
    addProblem(explanation, { pointer: `${pointer}/protocols`, message });
  }
  explainRange(video, ['minduration', 'maxduration'], pointer, explanation);
  explainRange(video, ['minbitrate', 'maxbitrate'], pointer, explanation);
  const ids = new Set<string>();
  for (const [index, companion] of companionad.entries()) {
    const at = pointer + jsonPointer('companionad', index);
    explainSizes(companion, at, explanation);
    if (companion.id === undefined) continue;
    if (ids.has(companion.id)) {
      const message = `Found "${companion.id}" again; the id of a companion must be unique in its impression.`;
      addProblem(explanation, { pointer: `${at}/id`, message });
    }
    ids.add(companion.id);
  }
}

/** Sections 2.11 and 2.12. */
function explainPmp({ deals }: Pmp, pointer: string, explanation: Explanation): void {
  if (deals === undefined) {
    const message = 'Found no deals; a private auction names at least one, or nobody could bid.';
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
    const message = 'Found no price; a fixed-price deal, "at" 3, says it here.';
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
  if (nativeShape.Check(request)) {
    explainContext(request, inner);
    explainAssets(request.assets, inner);
  } else explain(nativeNode, request, '', inner);
  for (const problem of inner.problems) {
    const message = `In the native request at "${problem.pointer}": ${problem.message}`;
    addProblem(explanation, { pointer, message });
  }
}

/** What the text says, or undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The tens of a subtype are its context (native 7.2). */
function explainContext({ context, contextsubtype }: NativeRequest, explanation: Explanation) {
  if (contextsubtype === undefined || Math.floor(contextsubtype / 10) === context) return;
  const message = `Found ${contextsubtype}, which is no subtype of "context" ${context ?? 'unset'}; its tens are the context.`;
  addProblem(explanation, { pointer: jsonPointer('contextsubtype'), message });
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
    const kinds = Object.entries({ title, img, data }).filter(([, kind]) => kind !== undefined);
    if (kinds.length !== 1) {
      const found = kinds.map(([name]) => name).join(', ') || 'none';
      const message = `Found ${found}; an asset is exactly one of "title", "img" and "data".`;
      addProblem(explanation, { pointer, message });
    }
    if (img === undefined) continue;
    for (const [exact, minimum] of [
      ['w', 'wmin'],
      ['h', 'hmin'],
    ] as const) {
      if (img[exact] === undefined || img[minimum] === undefined) continue;
      const message = `Found both "${exact}" and "${minimum}"; an image asks for one of the two.`;
      addProblem(explanation, { pointer: `${pointer}/img`, message });
    }
  }
}
