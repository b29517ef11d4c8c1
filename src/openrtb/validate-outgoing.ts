import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonPointer, type Checked } from '../base/problem.ts';
import { BidRequestSchema, type BidRequest } from './bid-request.ts';
import type { Geo } from './device.ts';
import { addProblem, explain, type Explanation } from './explain.ts';
import { LocationType } from './device-lists.ts';
import type { Imp } from './imp.ts';
import { PROBLEMS_MAX } from './limits.ts';
import { explainImp, explainNative } from './outgoing-imp-rules.ts';
import { schemaIn } from './schema-in.ts';
import { isRecord } from './schema-node.ts';
import { strictSchema } from './strict-schema.ts';
import type { OpenRtbVersion } from './versions.ts';

const CHECKS = {
  '2.2': createCheck('2.2'),
  '2.5': createCheck('2.5'),
  '2.6': createCheck('2.6'),
} as const;

/**
 * Checks a bid request that the exchange is about to send, for tests: nothing that its version does not
 * know, no empty or wrong value, the values that the spec fixes for the exchange, and of the extensions
 * only what the tables place there. What spans fields is checked once the shape is right.
 */
export function validateOutgoingRequest(
  value: unknown,
  version: OpenRtbVersion,
): Checked<BidRequest> {
  return CHECKS[version](value);
}

function createCheck(version: OpenRtbVersion): (value: unknown) => Checked<BidRequest> {
  const node = strictSchema(schemaIn(BidRequestSchema, version));
  const shape = Compile(Type.Unsafe<BidRequest>(node));
  return (value) => {
    const explanation: Explanation = { problems: [], problemsMax: PROBLEMS_MAX };
    if (shape.Check(value)) {
      explainRequest(value, explanation);
      if (explanation.problems.length === 0) return { ok: true, value };
    } else explain(node, value, '', explanation);
    return { ok: false, problems: explanation.problems };
  };
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
    explainNativeIn22(imp, jsonPointer('imp', index, 'ext', 'native', 'request'), explanation);
  }
}

/** Section 10: in 2.2 native stands in the extension. */
function explainNativeIn22({ ext }: Imp, pointer: string, explanation: Explanation): void {
  const native = isRecord(ext) ? ext['native'] : undefined;
  const request = isRecord(native) ? native['request'] : undefined;
  if (typeof request === 'string') explainNative(request, pointer, explanation);
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
