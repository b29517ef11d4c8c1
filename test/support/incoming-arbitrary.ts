/**
 * For property tests: requests as publishers send them, whatever their fields say. They are generated
 * from the schemas, and what the schemas leave open and the rules do not is put in order afterwards.
 */
import fc from 'fast-check';
import { IncomingRequestSchema } from '../../src/openrtb/incoming-request.ts';
import { isRecord, nodeOf } from '../../src/openrtb/schema-node.ts';
import { strictSchema } from '../../src/openrtb/strict-schema.ts';
import { documentOf } from './schema-arbitrary.ts';

type Json = Record<string, unknown>;

const node = nodeOf(IncomingRequestSchema);

/** Any request that is accepted once it has `site` or `app` and impressions with ids and a medium. */
export const incomingDocument = ordered(documentOf(node));

/** As publishers send requests, and as the exchange would. */
export const untidyOrStrict = fc.oneof(incomingDocument, ordered(documentOf(strictSchema(node))));

function ordered(documents: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  return documents.map((document) => {
    const request = fieldsOf(document);
    return {
      ...request,
      ...withReadableExt(request, 'regs'),
      ...withReadableExt(request, 'user'),
    };
  });
}

/** Privacy signals stand in it: an extension that is no object is refused. */
function withReadableExt(request: Json, name: 'regs' | 'user'): Json {
  const holder = request[name];
  if (!isRecord(holder) || holder['ext'] === undefined) return {};
  return { [name]: { ...holder, ext: fieldsOf(holder['ext']) } };
}

/** The fields of an object; none of what is not one. */
export function fieldsOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
