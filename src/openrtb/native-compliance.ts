/** Holds a native ad against the request that it answers; both have been read by `read-native.ts`. */
import { jsonPointer, type Problem } from '../base/problem.ts';
import type { NativeAssetRequest, NativeRequest } from './native-request.ts';
import type { NativeAsset, NativeResponse } from './native-response.ts';
import { isLonger } from './shape-check.ts';

/** What an asset can be; it is exactly one of them. */
export const NATIVE_KINDS = ['title', 'img', 'data', 'video'] as const;

/**
 * What of a request's assets an ad lacks, has twice, of another kind, or with a text that is too long;
 * empty when it complies. Assets that nobody asked for are left to who shows the ad.
 */
export function explainNativeAd(ad: NativeResponse, request: NativeRequest): Problem[] {
  const problems = explainRepeated(ad);
  for (const { asset, answer, index } of pairs(ad, request)) {
    const asked = kindsOf(asset);
    if (answer === undefined) {
      if (asset.required !== 1) continue;
      const message = `Found no asset ${asset.id}; the request requires it as ${asked}.`;
      problems.push({ pointer: jsonPointer('assets'), message });
    } else if (kindsOf(answer) !== asked) {
      const message = `Found ${kindsOf(answer)}; the request asks for ${asked} as asset ${asset.id}.`;
      problems.push({ pointer: jsonPointer('assets', index), message });
    } else {
      problems.push(...explainText(asset, answer, index));
    }
  }
  return problems;
}

/**
 * Images of another size than was asked for, which is exact or the least; empty when there are none.
 * An image that does not say its size is taken on trust.
 */
export function explainNativeSizes(ad: NativeResponse, request: NativeRequest): Problem[] {
  const problems: Problem[] = [];
  for (const { asset, answer, index } of pairs(ad, request)) {
    if (asset.img === undefined || answer?.img === undefined) continue;
    const { w, h, wmin, hmin } = asset.img;
    const sides = [
      { name: 'w', found: answer.img.w, exact: w, least: wmin },
      { name: 'h', found: answer.img.h, exact: h, least: hmin },
    ];
    for (const { name, found = 0, exact = 0, least = 0 } of sides) {
      const isRight = least > 0 ? found >= least : exact === 0 || found === exact;
      if (found === 0 || isRight) continue;
      const allowed = least > 0 ? `at least ${least}` : exact;
      const message = `Found ${found}; the request asks for ${allowed}.`;
      problems.push({ pointer: jsonPointer('assets', index, 'img', name), message });
    }
  }
  return problems;
}

interface AssetPair {
  readonly asset: NativeAssetRequest;
  /** The first of the asset's id; undefined where the ad has none. */
  readonly answer: NativeAsset | undefined;
  readonly index: number;
}

function pairs({ assets = [] }: NativeResponse, request: NativeRequest): AssetPair[] {
  // Backwards, so that the first of an id stays.
  const indexes = new Map([...assets.entries()].reverse().map(([index, { id }]) => [id, index]));
  return request.assets.map((asset) => {
    const index = indexes.get(asset.id) ?? -1;
    return { asset, answer: assets[index], index };
  });
}

function explainRepeated({ assets = [] }: NativeResponse): Problem[] {
  const problems: Problem[] = [];
  const ids = new Set<number>();
  for (const [index, { id }] of assets.entries()) {
    if (ids.has(id)) {
      const message = `Found asset ${id} once more; each stands once.`;
      problems.push({ pointer: jsonPointer('assets', index, 'id'), message });
    }
    ids.add(id);
  }
  return problems;
}

/** A text that is too long, or empty where it is required. */
function explainText(asset: NativeAssetRequest, answer: NativeAsset, index: number): Problem[] {
  const isTitle = answer.title !== undefined;
  const text = answer.title?.text ?? answer.data?.value;
  if (text === undefined) return [];
  const length = (isTitle ? asset.title?.len : asset.data?.len) ?? Infinity;
  const pointer = jsonPointer(
    'assets',
    index,
    ...(isTitle ? ['title', 'text'] : ['data', 'value']),
  );
  if (asset.required === 1 && text.trim() === '') {
    return [{ pointer, message: `Found nothing; the request requires asset ${asset.id}.` }];
  }
  // A length of 0 asks for no text at all, which nobody means.
  if (length === 0 || !isLonger(text, length)) return [];
  const found = Array.from(text).length;
  return [{ pointer, message: `Found ${found} characters; the request allows ${length}.` }];
}

function kindsOf(asset: NativeAsset | NativeAssetRequest): string {
  return NATIVE_KINDS.filter((kind) => asset[kind] !== undefined).join(', ') || 'nothing';
}
