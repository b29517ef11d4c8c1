import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonPointer, type Checked } from '../base/problem.ts';
import { BidRequest22Schema, type BidRequest22 } from './bid-request-22.ts';
import { BidRequestSchema, type BidRequest } from './bid-request.ts';
import type { Geo } from './device.ts';
import { addProblem, explain, type Explanation } from './explain.ts';
import { LocationType } from './device-lists.ts';
import { PROBLEMS_MAX } from './limits.ts';
import { explainImp, explainNative } from './outgoing-imp-rules.ts';
import { nodeOf } from './schema-node.ts';
import { strictSchema } from './strict-schema.ts';
import type { OpenRtbVersion } from './version.ts';

const check25 = createCheck<BidRequest>(BidRequestSchema, explainRequest);
const check22 = createCheck<BidRequest22>(BidRequest22Schema, explainRequest22);

/**
 * Checks a bid request that the exchange is about to send, for tests: nothing that the spec does
 * not show for its version, no empty or wrong value, the values that the spec fixes for the
 * exchange, and of the extensions only those of `outgoing-ext.ts` and, in 2.2, `imp.ext.native`.
 * What spans fields is checked once the shape is right.
 */
export function validateOutgoingRequest(
  value: unknown,
  version: OpenRtbVersion,
): Checked<BidRequest | BidRequest22> {
  return version === '2.5' ? check25(value) : check22(value);
}

/** @param explainRules adds what a request of the right shape breaks that spans fields */
function createCheck<Request>(
  schema: TSchema,
  explainRules: (request: Request, explanation: Explanation) => void,
): (value: unknown) => Checked<Request> {
  const node = strictSchema(nodeOf(schema));
  const shape = Compile(Type.Unsafe<Request>(node));
  return (value) => {
    const explanation: Explanation = { problems: [], problemsMax: PROBLEMS_MAX };
    if (shape.Check(value)) {
      explainRules(value, explanation);
      if (explanation.problems.length === 0) return { ok: true, value };
    } else explain(node, value, '', explanation);
    return { ok: false, problems: explanation.problems };
  };
}

/** Section 10: what spans fields does so in 2.2 as well, and native stands elsewhere. */
function explainRequest22(request: BidRequest22, explanation: Explanation): void {
  explainRequest(request, explanation);
  for (const [index, { ext }] of request.imp.entries()) {
    if (ext?.native === undefined) continue;
    const pointer = jsonPointer('imp', index, 'ext', 'native', 'request');
    explainNative(ext.native.request, pointer, explanation);
  }
}

function explainRequest(request: BidRequest, explanation: Explanation): void {
  if ((request.site === undefined) === (request.app === undefined)) {
    const found = request.site === undefined ? 'neither' : 'both';
    const pointer = jsonPointer(request.site === undefined ? 'site' : 'app');
    const message = `Found ${found} "site" ${found === 'both' ? 'and' : 'nor'} "app"; a request has one of the two.`;
    addProblem(explanation, { pointer, message });
  }
  if (request.wseat !== undefined && request.bseat !== undefined) {
    const message = 'Found both "wseat" and "bseat"; a request has at most one of the two.';
    addProblem(explanation, { pointer: jsonPointer('bseat'), message });
  }
  explainAuctionType(request, explanation);
  explainGeo(request.device?.geo, jsonPointer('device', 'geo'), explanation);
  explainGeo(request.user?.geo, jsonPointer('user', 'geo'), explanation);
  const ids = new Set<string>();
  for (const [index, imp] of request.imp.entries()) {
    if (ids.has(imp.id)) {
      const message = `Found "${imp.id}" again; the id of an impression must be unique.`;
      addProblem(explanation, { pointer: jsonPointer('imp', index, 'id'), message });
    }
    ids.add(imp.id);
    explainImp(imp, jsonPointer('imp', index), explanation);
  }
}

/** `at` is left out exactly when nothing but fixed-price deals is offered (spec, section 2.1). */
function explainAuctionType(request: BidRequest, explanation: Explanation): void {
  const isFixed = request.imp.every(
    ({ pmp }) => pmp?.deals !== undefined && pmp.deals.every((deal) => deal.at === 3),
  );
  if (isFixed === (request.at === undefined)) return;
  const message = isFixed
    ? `Found ${request.at}; with nothing but fixed-price deals on offer it must be left out.`
    : 'Found none; where more than fixed-price deals is on offer it must be 1 or 2.';
  addProblem(explanation, { pointer: jsonPointer('at'), message });
}

/** Section 2.18. */
function explainGeo(geo: Geo | undefined, pointer: string, explanation: Explanation): void {
  if (geo === undefined) return;
  if ((geo.lat === undefined) !== (geo.lon === undefined)) {
    addProblem(explanation, {
      pointer,
      message: 'Found one of "lat" and "lon"; they come together.',
    });
  }
  if (geo.accuracy !== undefined && geo.type !== LocationType.Gps) {
    const message = `Found "accuracy" with type ${geo.type ?? 'unset'}; it is allowed with type 1.`;
    addProblem(explanation, { pointer: pointer + jsonPointer('accuracy'), message });
  }
  if (geo.ipservice !== undefined && geo.type !== LocationType.IpAddress) {
    const message = `Found "ipservice" with type ${geo.type ?? 'unset'}; it is allowed with type 2.`;
    addProblem(explanation, { pointer: pointer + jsonPointer('ipservice'), message });
  }
}
