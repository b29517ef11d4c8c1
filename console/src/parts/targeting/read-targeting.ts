import { FLAGS, TARGET_GROUPS } from './target-keys.ts';
import { withFlag, withGeoRequired, withList, type Targeting } from './targeting.ts';

/**
 * The targeting that an address carries, as JSON or read from it: what is none of it is left out.
 * Undefined where there is none at all.
 */
export function readTargeting(value: unknown): Targeting | undefined {
  const given = fieldsOf(typeof value === 'string' ? parsed(value) : value);
  if (given === undefined) return undefined;
  const geo = fieldsOf(given.get('geo'));
  let targeting: Targeting = withGeoRequired({}, geo?.get('is_geo_data_required') === true);
  for (const { key } of TARGET_GROUPS.flatMap(({ keys }) => keys)) {
    const list = fieldsOf(key === 'countries' ? geo?.get(key) : given.get(key));
    const isWhite = list?.get('is_whitelist');
    if (typeof isWhite !== 'boolean') continue;
    const identifiers = codesIn(list?.get('identifiers')).map((code) => ({ code }));
    targeting = withList(targeting, key, { identifiers, is_whitelist: isWhite });
  }
  for (const { key } of FLAGS) {
    const flag = given.get(key);
    if (typeof flag === 'boolean') targeting = withFlag(targeting, key, flag);
  }
  return targeting;
}

function codesIn(identifiers: unknown): string[] {
  if (!Array.isArray(identifiers)) return [];
  return identifiers.flatMap((each: unknown) => {
    const code = fieldsOf(each)?.get('code');
    return typeof code === 'string' ? [code] : [];
  });
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
