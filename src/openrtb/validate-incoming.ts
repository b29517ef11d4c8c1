import { jsonPointer, type Checked } from '../base/problem.ts';
import { addProblem, explain, type Explanation } from './explain.ts';
import { explainPrivacySignals } from './incoming-privacy.ts';
import { IncomingRequestSchema, type IncomingRequest } from './incoming-request.ts';
import { IMPS_MAX, PROBLEMS_MAX } from './limits.ts';
import { isRecord, nodeOf } from './schema-node.ts';
import { createShapeCheck } from './shape-check.ts';
import { withoutBlanks } from './without-blanks.ts';
import { describeFound } from './wording.ts';

export type { IncomingRequest } from './incoming-request.ts';

const hasShape = createShapeCheck(IncomingRequestSchema);
const node = nodeOf(IncomingRequestSchema);

/**
 * Checks a parsed OpenRTB request from a publisher, of any version. It refuses what something depends on (types
 * of the known fields, ids, media, floors, currency, privacy flags) and lets pass untouched what
 * harms nobody: fields that the spec does not name, extensions, values that no list names. A null
 * in an optional field, or an empty text where an id is meant, counts as absent.
 *
 * A sound request is returned as it is, after one run of the shape check and a short pass over its
 * impressions. Otherwise every problem is told at once, up to `PROBLEMS_MAX`, each with a JSON
 * pointer to the field, or to where a missing field belongs.
 */
export function validateIncomingRequest(value: unknown): Checked<IncomingRequest> {
  const explanation: Explanation = { problems: [], problemsMax: PROBLEMS_MAX };
  if (hasShape(value)) return checkRules(value, explanation);
  const request = withoutBlanks(node, value);
  if (request !== value && hasShape(request)) return checkRules(request, explanation);
  explain(node, request, '', explanation);
  if (isRecord(request)) explainRules(request, explanation);
  return { ok: false, problems: explanation.problems };
}

function checkRules(request: IncomingRequest, explanation: Explanation): Checked<IncomingRequest> {
  explainRules(request, explanation);
  const { problems } = explanation;
  return problems.length === 0 ? { ok: true, value: request } : { ok: false, problems };
}

/**
 * Checks what spans fields, on any shape, so that a request with a wrong type somewhere is told
 * everything else as well.
 */
function explainRules(request: Readonly<Record<string, unknown>>, explanation: Explanation): void {
  const { site, app, dooh, cur, imp } = request;
  if (dooh !== undefined && dooh !== null) {
    const message = 'Found "dooh"; screens out of home are not sold here, only sites and apps are.';
    addProblem(explanation, { pointer: jsonPointer('dooh'), message });
  }
  if (site !== undefined && app !== undefined) {
    const message = 'Found both "site" and "app"; a request has one of the two.';
    addProblem(explanation, { pointer: jsonPointer('app'), message });
  }
  if (Array.isArray(cur) && !cur.includes('USD')) {
    const found =
      cur.length === 0 ? 'an empty list' : cur.slice(0, 5).map(describeFound).join(', ');
    const message = `Found ${found}; the list must have "USD", the only currency traded here, or be left out.`;
    addProblem(explanation, { pointer: jsonPointer('cur'), message });
  }
  explainPrivacySignals(request, explanation);
  if (Array.isArray(imp)) explainImps(imp, explanation);
}

function explainImps(imps: readonly unknown[], explanation: Explanation): void {
  const indexOfId = imps.length > 1 ? new Map<string, number>() : undefined;
  // Audio is not sold here: it is left out where there is something else, and refused alone.
  const isSold = imps.some((imp) => isRecord(imp) && hasMedium(imp));
  // A longer list is refused for its length; its surplus need not be read.
  for (let index = 0; index < imps.length && index < IMPS_MAX; index += 1) {
    const imp = imps[index];
    if (!isRecord(imp)) continue;
    if (!hasMedium(imp) && !(isSold && imp['audio'] !== undefined)) {
      const message = `Found no "banner", "video" or "native"; an impression offers at least one of them${imp['audio'] === undefined ? '' : ' (audio is not sold here)'}.`;
      addProblem(explanation, { pointer: jsonPointer('imp', index), message });
    }
    const id = imp['id'];
    if (indexOfId === undefined || typeof id !== 'string') continue;
    const before = indexOfId.get(id);
    if (before === undefined) indexOfId.set(id, index);
    else {
      const message = `Found ${describeFound(id)}, which ${jsonPointer('imp', before, 'id')} has already; the id of an impression must be unique in its request.`;
      addProblem(explanation, { pointer: jsonPointer('imp', index, 'id'), message });
    }
  }
}

function hasMedium({ banner, video, native }: Readonly<Record<string, unknown>>): boolean {
  return banner !== undefined || video !== undefined || native !== undefined;
}
