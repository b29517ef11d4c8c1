import { ownField } from '../base/fields.ts';
import type { Finding, Path } from '../configuration/finding.ts';

/** Bodies are bounded in bytes; this bounds what is said about one. */
const FINDINGS_MAX = 20;

/** More than any resource has; each level more costs whoever looks at what is below it. */
const DEPTH_MAX = 32;
const KEYS_MAX = 256;
const ITEMS_MAX = 10_000;

interface Part {
  readonly value: unknown;
  readonly path: Path;
}

/**
 * Texts that no store could give back as they came: with half of a surrogate pair, or with the
 * character U+0000; and what is nested or has keys beyond any measure, which is not looked into.
 */
export function checkText(document: unknown): readonly Finding[] {
  const findings: Finding[] = [];
  const waiting: Part[] = [{ value: document, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (findings.length === FINDINGS_MAX) break;
    const message = faultOf(next);
    if (message !== null) findings.push({ path: next.path, message });
    else pushInner(next, waiting);
  }
  return findings;
}

function faultOf({ value, path }: Part): string | null {
  if (typeof value === 'string') {
    return isKeepable(value) ? null : 'must be well-formed Unicode without the character U+0000';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (path.length === DEPTH_MAX) return `must not be nested in more than ${DEPTH_MAX} levels`;
  if (Array.isArray(value)) {
    return value.length > ITEMS_MAX ? `must not have more than ${ITEMS_MAX} items` : null;
  }
  return Object.keys(value).length > KEYS_MAX ? `must not have more than ${KEYS_MAX} keys` : null;
}

function pushInner({ value, path }: Part, waiting: Part[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (mayHold(item)) waiting.push({ value: item, path: [...path, index] });
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const keyPath = [...path, key];
      const item = ownField(value, key);
      if (!isKeepable(key)) waiting.push({ value: key, path: keyPath });
      else if (mayHold(item)) waiting.push({ value: item, path: keyPath });
    }
  }
}

function mayHold(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
