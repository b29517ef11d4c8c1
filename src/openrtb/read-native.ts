/**
 * Reads native requests and ads as they come. Both are JSON in a text, and both come in more than one
 * spelling: under a root `native` as before version 1.1 or without it, their images under `img` or
 * under `image` as in the spec's sample (section 2.20). What is read is given in one spelling, without
 * root and with `img`, and the pointers of problems lead into that.
 */
import type { TSchema } from 'typebox';
import { parseJson } from '../base/json.ts';
import { jsonPointer, type Checked, type Problem } from '../base/problem.ts';
import { addProblem, explain, type Explanation } from './explain.ts';
import { PROBLEMS_MAX } from './limits.ts';
import { NATIVE_KINDS } from './native-compliance.ts';
import { NativeRequestSchema, type NativeRequest } from './native-request.ts';
import { NativeResponseSchema, type NativeResponse } from './native-response.ts';
import { isRecord, nodeOf, type SchemaNode } from './schema-node.ts';
import { createShapeCheck } from './shape-check.ts';
import { withoutBlanks } from './without-blanks.ts';

/** Characters of a title whose request does not say. */
const TITLE_LENGTH = 140;

const isRequest = createShapeCheck(NativeRequestSchema);
const isResponse = createShapeCheck(NativeResponseSchema);

/**
 * Reads a native request, the text of `imp.native.request`, or the object that many writers put there
 * in place of a text.
 *
 * @param pointer where it stands, for problems. A text has no inside: there they say where in their words
 * @returns the request, its images under `img`; or what is wrong
 */
export function readNativeRequest(request: unknown, pointer = ''): Checked<NativeRequest> {
  const isText = typeof request === 'string';
  const parsed = isText ? parse(request) : { ok: true as const, value: request };
  const found = parsed.ok
    ? readDocument(withTitleLengths(parsed.value), NativeRequestSchema, isRequest)
    : parsed;
  const problems = found.ok ? explainAssets(found.value) : found.problems;
  if (found.ok && problems.length === 0) return found;
  const isRooted = isRecord(request) && isRecord(request['native']);
  const start = isRooted ? `${pointer}/native` : pointer;
  const told = problems.map((problem) =>
    isText && pointer !== ''
      ? { pointer, message: `In the native request at "${problem.pointer}": ${problem.message}` }
      : { pointer: start + problem.pointer, message: problem.message },
  );
  return { ok: false, problems: told };
}

/**
 * Reads a native ad, the text of `bid.adm`. Its assets are not held against a request; that is for
 * `explainNativeAd`.
 *
 * @returns the ad, its images under `img`; or what is wrong, with pointers into it
 */
export function readNativeResponse(text: string): Checked<NativeResponse> {
  const parsed = parse(text);
  return parsed.ok ? readDocument(parsed.value, NativeResponseSchema, isResponse) : parsed;
}

function parse(text: string): Checked<unknown> {
  try {
    return { ok: true, value: parseJson(text) };
  } catch {
    const message = 'Found a text that is not JSON; a native document is a JSON object.';
    return { ok: false, problems: [{ pointer: '', message }] };
  }
}

function readDocument<Document>(
  parsed: unknown,
  schema: TSchema,
  hasShape: (value: unknown) => value is Document,
): Checked<Document> {
  const node: SchemaNode = nodeOf(schema);
  const document = withoutBlanks(node, inOneSpelling(parsed));
  const explanation: Explanation = { problems: [], problemsMax: PROBLEMS_MAX };
  if (!hasShape(document)) explain(node, document, '', explanation);
  explainKinds(document, explanation);
  const { problems } = explanation;
  return hasShape(document) && problems.length === 0
    ? { ok: true, value: document }
    : { ok: false, problems };
}

/** The document without its root, and with images under `img`. The original is left as it is. */
function inOneSpelling(parsed: unknown): unknown {
  const document = isRecord(parsed) && isRecord(parsed['native']) ? parsed['native'] : parsed;
  if (!isRecord(document) || !Array.isArray(document['assets'])) return document;
  const assets = document['assets'].map((asset: unknown) => {
    if (!isRecord(asset) || asset['image'] === undefined || asset['img'] !== undefined) {
      return asset;
    }
    const { image, ...others } = asset;
    return { ...others, img: image };
  });
  return { ...document, assets };
}

/** A title that says no length has the default (section 2.20). */
function withTitleLengths(parsed: unknown): unknown {
  const document = inOneSpelling(parsed);
  if (!isRecord(document) || !Array.isArray(document['assets'])) return document;
  const assets = document['assets'].map((asset: unknown) => {
    if (!isRecord(asset) || !isRecord(asset['title'])) return asset;
    const { len } = asset['title'];
    return len === undefined || len === null
      ? { ...asset, title: { ...asset['title'], len: TITLE_LENGTH } }
      : asset;
  });
  return { ...document, assets };
}

/** An asset is one thing. One that is nothing but its link is left to who shows it. */
function explainKinds(document: unknown, explanation: Explanation): void {
  if (!isRecord(document) || !Array.isArray(document['assets'])) return;
  for (const [index, asset] of document['assets'].entries()) {
    const kinds = isRecord(asset) ? NATIVE_KINDS.filter((kind) => asset[kind] !== undefined) : [];
    if (kinds.length <= 1) continue;
    const message = `Found ${kinds.join(', ')}; an asset is exactly one of ${NATIVE_KINDS.join(', ')}.`;
    addProblem(explanation, { pointer: jsonPointer('assets', index), message });
  }
}

/** What a bid could not answer: an asset that is nothing, or one of two with the same id. */
function explainAssets({ assets }: NativeRequest): Problem[] {
  const problems: Problem[] = [];
  const ids = new Set<number>();
  for (const [index, asset] of assets.entries()) {
    if (!NATIVE_KINDS.some((kind) => asset[kind] !== undefined)) {
      const message = `Found no ${NATIVE_KINDS.join(', ')}; an asset is exactly one of them.`;
      problems.push({ pointer: jsonPointer('assets', index), message });
    }
    if (ids.has(asset.id)) {
      const message = `Found ${asset.id} again; the id of an asset must be unique.`;
      problems.push({ pointer: jsonPointer('assets', index, 'id'), message });
    }
    ids.add(asset.id);
  }
  return problems;
}
