/**
 * The versions of OpenRTB, and how a field says where each of them has it. The tables of this folder
 * have the fields of all versions, as the newest has them; `x-versions` on a field says what is
 * otherwise in one. Schemas of a version (`schema-in.ts`), conversion (`convert.ts`) and the
 * reference come from that.
 */
import type { SchemaNode, Variation, Variations } from './schema-node.ts';
import { VERSIONS, type OpenRtbVersion } from './versions.ts';

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
