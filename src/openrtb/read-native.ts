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
import {
  NativeRequestSchema,
  type NativeAssetRequest,
  type NativeRequest,
} from './native-request.ts';
import { NativeResponseSchema, type NativeAsset, type NativeResponse } from './native-response.ts';
import { isRecord, nodeOf, type SchemaNode } from './schema-node.ts';
import { createShapeCheck } from './shape-check.ts';
import { withoutBlanks } from './without-blanks.ts';

/** What an asset can be; it is exactly one of them. */
const KINDS = ['title', 'img', 'data', 'video'] as const;

const isRequest = createShapeCheck(NativeRequestSchema);
const isResponse = createShapeCheck(NativeResponseSchema);

/**
 * Reads a native request, the text of `imp.native.request`.
 *
 * @returns the request, its images under `img`; or what is wrong, with pointers into it
 */
export function readNativeRequest(text: string): Checked<NativeRequest> {
  return read(text, NativeRequestSchema, isRequest);
}

/**
 * Reads a native ad, the text of `bid.adm`. Its assets are not held against a request; that is for
 * `explainNativeAd`.
 *
 * @returns the ad, its images under `img`; or what is wrong, with pointers into it
 */
export function readNativeResponse(text: string): Checked<NativeResponse> {
  return read(text, NativeResponseSchema, isResponse);
}

/** What of a request's assets an ad lacks, or has of another kind; empty when it complies. */
export function explainNativeAd(ad: NativeResponse, request: NativeRequest): Problem[] {
  const problems: Problem[] = [];
  for (const asset of request.assets) {
    const index = ad.assets?.findIndex(({ id }) => id === asset.id) ?? -1;
    const answer = ad.assets?.[index];
    const asked = kindsOf(asset);
    if (answer === undefined) {
      if (asset.required !== 1) continue;
      const message = `Found no asset ${asset.id}; the request requires it as ${asked}.`;
      problems.push({ pointer: jsonPointer('assets'), message });
    } else if (kindsOf(answer) !== asked) {
      const message = `Found ${kindsOf(answer)}; the request asks for ${asked} as asset ${asset.id}.`;
      problems.push({ pointer: jsonPointer('assets', index), message });
    }
  }
  return problems;
}

function read<Document>(
  text: string,
  schema: TSchema,
  hasShape: (value: unknown) => value is Document,
): Checked<Document> {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    const message = 'Found a text that is not JSON; a native document is a JSON object.';
    return { ok: false, problems: [{ pointer: '', message }] };
  }
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

/** An asset is one thing. One that is nothing but its link is left to who shows it. */
function explainKinds(document: unknown, explanation: Explanation): void {
  if (!isRecord(document) || !Array.isArray(document['assets'])) return;
  for (const [index, asset] of document['assets'].entries()) {
    const kinds = isRecord(asset) ? KINDS.filter((kind) => asset[kind] !== undefined) : [];
    if (kinds.length <= 1) continue;
    const message = `Found ${kinds.join(', ')}; an asset is exactly one of ${KINDS.join(', ')}.`;
    addProblem(explanation, { pointer: jsonPointer('assets', index), message });
  }
}

function kindsOf(asset: NativeAsset | NativeAssetRequest): string {
  return KINDS.filter((kind) => asset[kind] !== undefined).join(', ') || 'nothing';
}
