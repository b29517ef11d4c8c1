import type { Targeting } from '../resources/targeting.ts';
import {
  PLACEMENT_RULES,
  REQUEST_RULES,
  type PlacementRule,
  type RequestRule,
  type TargetingKey,
  type TargetingRule,
} from './targeting-rules.ts';
import type { ImpTraits } from './targeting-traits.ts';

/** One targeting object made ready to be asked about impressions, one format at a time. */
export interface TargetingMatcher {
  matches(traits: ImpTraits, format: number): boolean;
  /** The first key that refuses the impression: those of the place, then those of the request. */
  failedKey(traits: ImpTraits, format: number): TargetingKey | null;
}

/**
 * Compiles a targeting object. For a single object, or a few: the line items of a whole exchange are
 * looked up in an index instead, `createEligibility`.
 *
 * Source: management API, "Inventory discovery request".
 */
export function compileTargeting(targeting: Targeting): TargetingMatcher {
  const checks = [
    ...compileRules(PLACEMENT_RULES, targeting, checkPlacement),
    ...compileRules(REQUEST_RULES, targeting, checkRequest),
  ];
  const failedKey = (traits: ImpTraits, format: number): TargetingKey | null => {
    for (const check of checks) if (!check.passes(traits, format)) return check.key;
    return null;
  };
  return { failedKey, matches: (traits, format) => failedKey(traits, format) === null };
}

interface Check {
  readonly key: TargetingKey;
  readonly passes: (traits: ImpTraits, format: number) => boolean;
}

function compileRules<Rule extends TargetingRule>(
  rules: readonly Rule[],
  targeting: Targeting,
  compile: (rule: Rule, listed: ReadonlySet<string>, isWhitelist: boolean) => Check['passes'],
): Check[] {
  const checks: Check[] = [];
  for (const rule of rules) {
    const list = rule.list(targeting);
    if (list === undefined) continue;
    const listed = new Set(list.identifiers.map(({ code }) => rule.normalize(code)));
    checks.push({ key: rule.key, passes: compile(rule, listed, list.is_whitelist) });
  }
  return checks;
}

function checkPlacement(
  rule: PlacementRule,
  listed: ReadonlySet<string>,
  isWhitelist: boolean,
): Check['passes'] {
  return (traits, format) =>
    rule.codes(traits, format).some((code) => listed.has(code)) === isWhitelist;
}

function checkRequest(
  rule: RequestRule,
  listed: ReadonlySet<string>,
  isWhitelist: boolean,
): Check['passes'] {
  return (traits) => {
    const code = rule.code(traits);
    return (code !== null && listed.has(code)) === isWhitelist;
  };
}
