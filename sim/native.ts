import { numberOr, parseJson, recordOf } from './decode.ts';
import { landingUrl, pixelUrl, type Creative } from './markup.ts';

/** An asset that a native request asks for, as far as an answer needs it. */
export type NativeAsset =
  | { readonly id: number; readonly kind: 'title'; readonly length: number }
  | { readonly id: number; readonly kind: 'image'; readonly w: number; readonly h: number }
  | {
      readonly id: number;
      readonly kind: 'data';
      readonly type: number;
      readonly length: number;
    };

/**
 * The assets of a native request payload (spec, section 2.20), which may stand inside of a
 * `native` object or alone. Undefined when it cannot be read or asks for what cannot be answered.
 */
export function readNativeAssets(payload: string): readonly NativeAsset[] | undefined {
  const root = recordOf(parseJson(payload));
  const list = recordOf(root?.['native'] ?? root)?.['assets'];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const assets: NativeAsset[] = [];
  for (const item of list) {
    const asset = nativeAsset(recordOf(item));
    if (asset === undefined) return undefined;
    assets.push(asset);
  }
  return assets;
}

function nativeAsset(item: Record<string, unknown> | undefined): NativeAsset | undefined {
  const id = item?.['id'];
  if (item === undefined || typeof id !== 'number') return undefined;
  const title = recordOf(item['title']);
  if (title) return { id, kind: 'title', length: numberOr(title['len'], 140) };
  // The sample request of the specification writes the key as `image`.
  const image = recordOf(item['img'] ?? item['image']);
  if (image) {
    return {
      id,
      kind: 'image',
      w: numberOr(image['w'] ?? image['wmin'], 80),
      h: numberOr(image['h'] ?? image['hmin'], 80),
    };
  }
  const data = recordOf(item['data']);
  if (data)
    return {
      id,
      kind: 'data',
      type: numberOr(data['type'], 2),
      length: numberOr(data['len'], 140),
    };
  return undefined;
}

/** A native 1.1 answer that gives every asset asked for, under its own id. */
export function nativeMarkup(creative: Creative, assets: readonly NativeAsset[]): string {
  return JSON.stringify({
    native: {
      ver: '1.1',
      assets: assets.map((asset) => nativeAnswer(creative, asset)),
      link: { url: landingUrl(creative), clicktrackers: ['${CLICK_URL}'] },
      imptrackers: [pixelUrl(creative)],
    },
  });
}

/** The types of native data whose answer is not simply a sentence. */
const RATING = 3;
const CALL_TO_ACTION = 12;

function nativeAnswer({ adomain }: Creative, asset: NativeAsset): object {
  const { id, kind } = asset;
  if (kind === 'title') {
    return { id, title: { text: `The best of ${adomain}`.slice(0, asset.length) } };
  }
  if (kind === 'image') {
    const { w, h } = asset;
    return { id, img: { url: `https://media.${adomain}/${w}x${h}.png`, w, h } };
  }
  return { id, data: { value: dataValue(adomain, asset.type).slice(0, asset.length) } };
}

function dataValue(adomain: string, type: number): string {
  if (type === RATING) return '4.5';
  if (type === CALL_TO_ACTION) return 'Shop now';
  return `See what is new at ${adomain} this week, with free delivery and returns.`;
}
