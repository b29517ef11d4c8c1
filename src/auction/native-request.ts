import type { NativeAssetRequest, NativeRequest } from '../openrtb/native-request.ts';
import { NativeDataType, NativeImageType } from '../openrtb/native-lists.ts';
import { definedField, listField } from '../base/fields.ts';
import type { ImageSettings, NativeSettings } from '../resources/formats.ts';

/** Ids of the native assets in the order in which they are asked for. */
const NATIVE_ASSET = { title: 1, icon: 2, image: 3, description: 4, cta: 5, rating: 6 } as const;

/** What a native ad space asks for (spec, section 2.20). Every asset is required. */
export function nativeRequestOf(settings: NativeSettings): NativeRequest {
  const { title, icon, image, description, cta, rating } = settings;
  const assets: NativeAssetRequest[] = [];
  const add = (id: number, asset: Omit<NativeAssetRequest, 'id'>): void => {
    assets.push({ id, required: 1, ...asset });
  };
  if (title !== null) add(NATIVE_ASSET.title, { title: { len: title } });
  if (icon !== null) add(NATIVE_ASSET.icon, { img: imageOf(NativeImageType.Icon, icon) });
  if (image !== null) add(NATIVE_ASSET.image, { img: imageOf(NativeImageType.Main, image) });
  if (description !== null) {
    const type = NativeDataType.Description;
    add(NATIVE_ASSET.description, { data: { type, len: description } });
  }
  if (cta !== null) {
    add(NATIVE_ASSET.cta, { data: { type: NativeDataType.CallToAction, len: cta } });
  }
  if (rating) add(NATIVE_ASSET.rating, { data: { type: NativeDataType.Rating } });
  return {
    ver: '1.1',
    ...definedField('context', settings.context),
    ...definedField('contextsubtype', settings.contextsubtype),
    plcmttype: 1,
    plcmtcnt: 1,
    seq: 0,
    assets,
  };
}

/** An image asks for a size that is exact, or for the least one. */
function imageOf(
  type: NativeImageType,
  { w, h, isMinimum, mimes }: ImageSettings,
): NonNullable<NativeAssetRequest['img']> {
  const size = isMinimum ? { wmin: w, hmin: h } : { w, h };
  return { type, ...size, ...listField('mimes', mimes) };
}
