/**
 * For property tests: bid requests that the exchange may send, whatever their fields say. They are
 * generated from the strict schema, and what spans fields is put in order afterwards.
 */
import fc from 'fast-check';
import { BidRequestSchema } from '../../src/openrtb/bid-request.ts';
import { NativeRequestSchema } from '../../src/openrtb/native-request.ts';
import { schemaIn } from '../../src/openrtb/schema-in.ts';
import { isRecord, nodeOf, type SchemaNode } from '../../src/openrtb/schema-node.ts';
import { strictSchema } from '../../src/openrtb/strict-schema.ts';
import type { OpenRtbVersion } from '../../src/openrtb/versions.ts';
import { documentOf } from './schema-arbitrary.ts';

type Json = Record<string, unknown>;

/** What is sent in each version. */
export const STRICT: Readonly<Record<OpenRtbVersion, SchemaNode>> = {
  '2.2': strictSchema(schemaIn(BidRequestSchema, '2.2')),
  '2.5': strictSchema(schemaIn(BidRequestSchema, '2.5')),
  '2.6': strictSchema(schemaIn(BidRequestSchema, '2.6')),
};

/** Any bid request that may be sent. */
export function outgoingRequestOf(version: OpenRtbVersion): fc.Arbitrary<Json> {
  const native = documentOf(strictSchema(nodeOf(NativeRequestSchema)));
  return fc
    .tuple(documentOf(STRICT[version]), native, fc.boolean())
    .map(([request, payload, isApp]) => {
      return orderedRequest(
        fieldsOf(request),
        JSON.stringify(orderedNative(fieldsOf(payload))),
        isApp,
      );
    });
}

function orderedRequest(request: Json, native: string, isApp: boolean): Json {
  const { site, app, bseat, at, ...others } = request;
  const imp = itemsOf(request['imp']).map((each, index) => orderedImp(each, index, native));
  const isFixed = imp.every(({ pmp }) => isFixedOnly(pmp));
  return {
    ...others,
    ...(isApp ? { app: app ?? { id: '1' } } : { site: site ?? { id: '1' } }),
    ...(bseat === undefined || others['wseat'] !== undefined ? {} : { bseat }),
    ...(isFixed ? {} : { at: at ?? 2 }),
    ...mapped(request, 'device', orderedPlace),
    ...mapped(request, 'user', orderedPlace),
    imp,
  };
}

function orderedImp(imp: Json, index: number, native: string): Json {
  const { banner, ...others } = imp;
  const isBare = imp['video'] === undefined && imp['native'] === undefined;
  const offered = banner ?? (isBare ? { w: 1, h: 1 } : undefined);
  return {
    ...others,
    id: `${index + 1}`,
    ...(offered === undefined ? {} : { banner: orderedBanner(fieldsOf(offered), false) }),
    ...mapped(imp, 'video', orderedVideo),
    ...mapped(imp, 'native', (each) => ({ ...each, request: native })),
    ...mapped(imp, 'pmp', orderedPmp),
    ...mapped(imp, 'ext', (each) => ({
      native: { ...fieldsOf(each['native']), request: native },
    })),
  };
}

/** Formats of one kind, ranges upright, the fields of companions where they belong. */
function orderedBanner(banner: Json, isCompanion: boolean): Json {
  const { id, vcm, format, ...others } = banner;
  const formats = itemsOf(format).map((each, index) =>
    index % 2 === 0 ? { w: each['w'] ?? 1, h: each['h'] ?? 1 } : { wratio: 4, hratio: 3, wmin: 9 },
  );
  const ordered = {
    ...upright(upright(others, 'wmin', 'wmax'), 'hmin', 'hmax'),
    ...(format === undefined ? {} : { format: formats }),
    ...(isCompanion && id !== undefined ? { id } : {}),
    ...(isCompanion && vcm !== undefined ? { vcm } : {}),
  };
  return Object.keys(ordered).length === 0 ? { w: 1, h: 1 } : ordered;
}

function orderedVideo(video: Json): Json {
  const companions = itemsOf(video['companionad']).map((each, index) => ({
    ...orderedBanner(each, true),
    id: `${index}`,
  }));
  return {
    ...upright(upright(video, 'minduration', 'maxduration'), 'minbitrate', 'maxbitrate'),
    protocols: [2, 5],
    ...(companions.length === 0 ? {} : { companionad: companions }),
  };
}

function orderedPmp(pmp: Json): Json {
  const deals = itemsOf(pmp['deals']).map((each, index) => ({
    ...each,
    id: `${index}`,
    ...(each['at'] === 3 ? { bidfloor: each['bidfloor'] ?? 1 } : {}),
  }));
  return { ...pmp, deals: deals.length === 0 ? [{ id: '1', at: 1 }] : deals };
}

function isFixedOnly(pmp: unknown): boolean {
  const deals = itemsOf(fieldsOf(pmp)['deals']);
  return deals.length > 0 && deals.every(({ at }) => at === 3);
}

/** The location of a device or a user, whose fields need one another. */
function orderedPlace(owner: Json): Json {
  if (owner['geo'] === undefined) return owner;
  const { lat, lon, accuracy, ipservice, ...geo } = fieldsOf(owner['geo']);
  const { type } = geo;
  return {
    ...owner,
    geo: {
      country: 'USA',
      ...geo,
      ...(lat === undefined || lon === undefined ? {} : { lat, lon }),
      ...(type === 1 && accuracy !== undefined ? { accuracy } : {}),
      ...(type === 2 && ipservice !== undefined ? { ipservice } : {}),
    },
  };
}

function orderedNative(request: Json): Json {
  const { contextsubtype, ...others } = request;
  const assets = itemsOf(request['assets']).map((each, index) => {
    const kind = ['title', 'img', 'data'].find((name) => each[name] !== undefined);
    const { title: _t, img: _i, data: _d, ...asset } = each;
    const content = kind === undefined ? { title: { len: 90 } } : { [kind]: each[kind] };
    return {
      ...asset,
      ...mapped(content, 'img', orderedImage),
      ...without(content, 'img'),
      id: index,
    };
  });
  const isSubtype = Math.floor(Number(contextsubtype) / 10) === others['context'];
  return { ...others, ...(isSubtype ? { contextsubtype } : {}), assets };
}

function orderedImage(img: Json): Json {
  const { wmin, hmin, ...others } = img;
  return {
    ...others,
    ...(wmin === undefined || others['w'] !== undefined ? {} : { wmin }),
    ...(hmin === undefined || others['h'] !== undefined ? {} : { hmin }),
  };
}

/** The object with the ends of a range in their places. */
function upright(object: Json, lowest: string, highest: string): Json {
  const [from, to] = [object[lowest], object[highest]];
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return object;
  return { ...object, [lowest]: to, [highest]: from };
}

/** A field put in order, if it is there. */
function mapped(object: Json, name: string, order: (value: Json) => Json): Json {
  return object[name] === undefined ? {} : { [name]: order(fieldsOf(object[name])) };
}

function without(object: Json, name: string): Json {
  const { [name]: _left, ...others } = object;
  return others;
}

function itemsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** The fields of an object; none of what is not one. */
function fieldsOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
