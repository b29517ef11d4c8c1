import type { SchemaNode } from './schema-node.ts';
import { VERSIONS, type OpenRtbVersion } from './versions.ts';
import { placeOf, variationOf } from './variations.ts';
import type { Variation } from './schema-node.ts';

/** What there is to do about one field of an object. */
export interface Step {
  /** Every place where a version has it, that of this version first. */
  readonly from: readonly (readonly string[])[];
  /** Where the version has it, or what it says instead; null where it has nothing of the kind. */
  readonly to: readonly string[] | null;
  readonly variation: Variation;
  /** Whether objects on the way to the place are made. */
  readonly isMade: boolean;
  /** What there is to do about its value, or each of its values. */
  readonly below: Plan | null;
}

/** What there is to do about an object. */
export type Plan = readonly Step[];

export type Source = 'versions' | 'tables';

/** What a conversion is between. */
export interface Direction {
  readonly version: OpenRtbVersion;
  /**
   * Where the fields of what is converted stand: as a version has them, whichever it is, or where the
   * tables have them, which is cheaper to read.
   */
  readonly source: Source;
}

/** What a version has otherwise than what is converted. */
export function planOf(node: SchemaNode, direction: Direction): Plan {
  return stepsOf(node, direction).own;
}

interface Steps {
  readonly own: Step[];
  /** Of fields that a version has in the object above. Their places are from there. */
  readonly above: Step[];
}

function stepsOf({ properties = {} }: SchemaNode, direction: Direction): Steps {
  const steps: Steps = { own: [], above: [] };
  for (const [name, property] of Object.entries(properties)) {
    const below = stepsOf(property.items ?? property, direction);
    for (const step of below.above) steps.own.push(lifted(step, name));
    const step = stepOf(name, property, { direction, below: below.own });
    if (isIdle(step)) continue;
    const isAbove = [step.to ?? [], ...step.from].some(([first]) => first === '..');
    (isAbove ? steps.above : steps.own).push(step);
  }
  return steps;
}

function stepOf(
  name: string,
  node: SchemaNode,
  { direction, below }: { readonly direction: Direction; readonly below: Plan },
): Step {
  const { version, source } = direction;
  const places =
    source === 'tables'
      ? [[name]]
      : [version, ...VERSIONS]
          .map((each) => placeOf(name, node, each))
          .filter((place) => place !== null);
  const variation = variationOf(node, version);
  const { at = name } = variation;
  return {
    from: [...new Map(places.map((place) => [place.join('/'), place])).values()],
    to: at === null ? null : at.split('/'),
    variation,
    isMade: false,
    below: below.length === 0 ? null : below,
  };
}

/** Whether there is nothing to do: the field is nowhere, or stands in one place, as it is. */
function isIdle({ from, to, variation, below }: Step): boolean {
  if (variation.isRequired === true) return false;
  const isStill = from.every((place) => place.join('/') === to?.join('/'));
  return isStill && (from.length === 0 || (below === null && variation.write === undefined));
}

/** A step as the object above does it, in which the field's own object has a name. */
function lifted(step: Step, name: string): Step {
  const lift = ([first = '', ...others]: readonly string[]): readonly string[] =>
    first === '..' ? others : [name, first, ...others];
  const { from, to } = step;
  return { ...step, from: from.map(lift), to: to === null ? null : lift(to), isMade: true };
}
