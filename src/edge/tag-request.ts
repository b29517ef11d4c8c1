import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { Checked, Problem } from '../base/problem.ts';
import type { Space } from '../exchange/market.ts';
import { validateIncomingRequest, type IncomingRequest } from '../openrtb/validate-incoming.ts';
import { TAG_PARAMETERS } from './tag-parameters.ts';

/** What the query of a tag says: the values of those parameters that were given, by their names. */
export type TagValues = ReadonlyMap<string, unknown>;

/** What a wrong ad space is told under: it stands in the path, not in the query. */
export const AD_SPACE_POINTER = 'ad_space';

/** Characters of a wrong value that are told back. */
const FOUND_LENGTH_MAX = 64;

/**
 * What ad servers leave behind where they filled nothing in: `[ua]`, `${UA}`, `{ua}`, `{{ua}}`,
 * `%%UA%%`, `__UA__`, `$$UA$$`, and what scripts make of a value that they do not have.
 */
const UNFILLED =
  /^(?:\[[^\]]*\]|\$?\{[^{}]*\}|\{\{[^{}]*\}\}|%%[^%]*%%|__\w*__|\$\$[^$]*\$\$|undefined|null)$/;

/**
 * Reads the query of a tag. Everything that is wrong is told at once, by the name of the parameter.
 * What is empty or an unfilled macro counts as absent, of a parameter that is given several times
 * the first that says something counts, and parameters that no row names are ignored.
 */
export function readTagQuery(query: string): Checked<TagValues> {
  const given = new URLSearchParams(query);
  const problems: Problem[] = [];
  const values = new Map<string, unknown>();
  for (const { name, type } of TAG_PARAMETERS) {
    const found = given.getAll(name).map(trimmed).find(isFilled);
    if (found === undefined) continue;
    const value = type.read(found);
    if (value !== undefined) values.set(name, value);
    else {
      const message = `is ${JSON.stringify(clip(found))}; give ${type.right}, or leave it out`;
      problems.push({ pointer: name, message });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: values };
}

function trimmed(text: string): string {
  return text.trim();
}

function isFilled(text: string): boolean {
  return text !== '' && !UNFILLED.test(text);
}

function clip(text: string): string {
  return text.length > FOUND_LENGTH_MAX ? `${text.slice(0, FOUND_LENGTH_MAX)}…` : text;
}

/**
 * The OpenRTB request that a tag stands for: one impression, whose `tagid` is the ad space, in the
 * formats given, checked as a publisher's own request is.
 *
 * @param formats what of the ad space's formats is asked for, as a bit mask.
 */
export function tagRequest(
  { adSpace, property }: Space,
  formats: number,
  values: TagValues,
): Checked<IncomingRequest> {
  const request: Record<string, unknown> = {
    id: 'tag',
    imp: [
      {
        id: '1',
        tagid: String(adSpace.id),
        ...((formats & FORMAT_BANNER) === 0 ? {} : { banner: {} }),
        ...((formats & FORMAT_VIDEO) === 0 ? {} : { video: {} }),
        ...((formats & FORMAT_NATIVE) === 0 ? {} : { native: {} }),
      },
    ],
    [property.type]: {},
  };
  for (const { name, places } of TAG_PARAMETERS) {
    const value = values.get(name);
    if (value === undefined) continue;
    for (const place of places) put(request, place.split('/').slice(1), value);
  }
  const checked = validateIncomingRequest(request);
  return checked.ok ? checked : { ok: false, problems: asParameters(checked.problems) };
}

/** Objects that a parameter may bring with it; the others are there or do not apply. */
const MADE = new Set(['device', 'geo', 'user', 'regs', 'ext']);

function put(holder: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Reflect.set(holder, name, value);
    return;
  }
  if (MADE.has(name) && !Object.hasOwn(holder, name)) Reflect.set(holder, name, {});
  const next: unknown = Reflect.get(holder, name);
  if (typeof next === 'object' && next !== null) put(next, rest, value);
}

/** Problems of the OpenRTB request, by what the caller of a tag knows: parameters and the ad space. */
export function asParameters(problems: readonly Problem[]): Problem[] {
  return problems.map(({ pointer, message }) => {
    const named = TAG_PARAMETERS.find(({ places }) =>
      places.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
    );
    return { pointer: named?.name ?? AD_SPACE_POINTER, message };
  });
}
