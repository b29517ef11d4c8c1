/**
 * For property tests: requests as publishers send them, whatever their fields say. They are generated
 * from the schemas, and what the schemas leave open and the rules do not is put in order afterwards.
 */
import fc from 'fast-check';
import { IncomingRequestSchema } from '../../src/openrtb/incoming-request.ts';
import { NativeRequestSchema } from '../../src/openrtb/native-request.ts';
import { isRecord, nodeOf } from '../../src/openrtb/schema-node.ts';
import { strictSchema } from '../../src/openrtb/strict-schema.ts';
import { documentOf } from './schema-arbitrary.ts';

type Json = Record<string, unknown>;

const node = nodeOf(IncomingRequestSchema);

/** Native requests that are accepted. */
export const incomingNative = documentOf(nodeOf(NativeRequestSchema)).map((native) =>
  orderedNative(fieldsOf(native)),
);

/** Any request that is accepted once it has `site` or `app` and impressions with ids and a medium. */
export const incomingDocument = ordered(documentOf(node));

/** As publishers send requests, and as the exchange would. */
export const untidyOrStrict = fc.oneof(incomingDocument, ordered(documentOf(strictSchema(node))));

function ordered(documents: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  return fc
    .tuple(documents, incomingNative, fc.constantFrom('text', 'object', 'none'))
    .map(([document, native, form]) => {
      const request = fieldsOf(document);
      const payload = form === 'none' ? undefined : native;
      const imps = Array.isArray(request['imp']) ? request['imp'].map(fieldsOf) : [];
      return {
        ...request,
        ...withReadableSignals(request, 'regs'),
        ...withReadableSignals(request, 'user'),
        imp: imps.map((imp) => {
          if (imp['native'] === undefined) return imp;
          const { request: _, ...others } = fieldsOf(imp['native']);
          if (payload === undefined) return { ...imp, native: others };
          const said = form === 'text' ? JSON.stringify(payload) : payload;
          return { ...imp, native: { ...others, request: said } };
        }),
      };
    });
}

/** Assets of one kind each, all of it what a bid could answer. */
function orderedNative(native: Json): Json {
  const assets = Array.isArray(native['assets']) ? native['assets'].map(fieldsOf) : [];
  return {
    ...native,
    assets: [
      { id: -1, title: { len: 90 } },
      ...assets.map(({ required, title, img, data }, id) => ({
        id,
        ...(required === undefined ? {} : { required }),
        ...([{ title }, { img }, { data }].find((each) => Object.values(each)[0]) ?? { img: {} }),
      })),
    ],
  };
}

/** Privacy signals that cannot be read are refused, and an extension that is no object. */
function withReadableSignals(request: Json, name: 'regs' | 'user'): Json {
  const holder = request[name];
  if (!isRecord(holder)) return {};
  const { gdpr: _g, us_privacy: _u, gpp: _p, gpp_sid: _s, consent: _c, ...others } = holder;
  return { [name]: { ...others, ext: fieldsOf(holder['ext']) } };
}

/** The fields of an object; none of what is not one. */
export function fieldsOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
