/**
 * The versions of OpenRTB, and how a field says where each of them has it. The tables of this folder
 * have the fields of all versions, as the newest has them; `x-versions` on a field says what is
 * otherwise in one. Schemas of a version (`schema-in.ts`), conversion (`convert.ts`) and the
 * reference come from that.
 */
import type { SchemaNode } from './schema-node.ts';

/** The versions that are spoken, the oldest first. */
export const VERSIONS = ['2.2', '2.5', '2.6'] as const;
export type OpenRtbVersion = (typeof VERSIONS)[number];

/** How one version has a field. What is not said is as in the newest. */
export interface Variation extends SchemaNode {
  /**
   * Where it stands, as a path from its object: `deliver`, `ext/gdpr`, `../ext/schain`. Null where the
   * version does not know it. Left out: under its own name.
   */
  readonly at?: string | null;
  /**
   * Writes the value in this version; undefined where the version cannot say it.
   *
   * @param value undefined only where the version must have one
   */
  readonly write?: (value: unknown, around: Surroundings) => unknown;
  /** The place is another field's, which says less: what is written there cannot be told back. */
  readonly isLossy?: boolean;
  /** Fields of the same object that mean nothing without this one, and go with it. */
  readonly takes?: readonly string[];
  /** It must be there, where the newest may leave it out. */
  readonly isRequired?: boolean;
}

/** What is known where a value is written. */
export interface Surroundings {
  /** What stands in the place already. */
  readonly standing: unknown;
  /** The object that has the field. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** By version. */
export type Variations = { readonly [Version in OpenRtbVersion]?: Variation };

interface VersionsMark {
  readonly 'x-versions': Variations;
}

const UNKNOWN: Variation = { at: null };

/** A field that earlier versions do not know. */
export function since(version: OpenRtbVersion): VersionsMark {
  return before(version, UNKNOWN);
}

/** A field that later versions do not know. */
export function until(version: OpenRtbVersion): VersionsMark {
  return inEach(VERSIONS.slice(VERSIONS.indexOf(version) + 1), UNKNOWN);
}

/** A field that all versions before one have otherwise. */
export function before(version: OpenRtbVersion, variation: Variation): VersionsMark {
  return inEach(VERSIONS.slice(0, VERSIONS.indexOf(version)), variation);
}

/** A field that one version has otherwise. */
export function inVersion(version: OpenRtbVersion, variation: Variation): VersionsMark {
  return inEach([version], variation);
}

function inEach(versions: readonly OpenRtbVersion[], variation: Variation): VersionsMark {
  return { 'x-versions': Object.fromEntries(versions.map((version) => [version, variation])) };
}

/** How a version has a field. */
export function variationOf(node: SchemaNode, version: OpenRtbVersion): Variation {
  return node['x-versions']?.[version] ?? AS_NEWEST;
}

const AS_NEWEST: Variation = {};

/**
 * Where a version has a field, as steps from its object, `..` at the start for the object's own
 * holder; null where it does not have it, or says it by another field.
 */
export function placeOf(
  name: string,
  node: SchemaNode,
  version: OpenRtbVersion,
): readonly string[] | null {
  const { at = name, isLossy } = variationOf(node, version);
  return at === null || isLossy === true ? null : at.split('/');
}
