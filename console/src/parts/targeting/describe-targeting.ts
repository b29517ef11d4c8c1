import { FLAGS, meaningOf, TARGET_GROUPS, type TargetKey } from './target-keys.ts';
import { listOf, type CodeList, type Targeting } from './targeting.ts';

const NAMED_MAX = 3;

/** A targeting in one line of words, for tables: `Germany, Austria · not video · only rewarded`. */
export function describeTargeting(targeting: Targeting): string {
  const parts = TARGET_GROUPS.flatMap(({ keys }) =>
    keys.flatMap((key) => {
      const list = listOf(targeting, key.key);
      return list === undefined ? [] : describeList(key, list);
    }),
  );
  if (targeting.geo?.is_geo_data_required === true) parts.push('with latitude and longitude');
  for (const { key, noun } of FLAGS) {
    const flag = targeting[key];
    if (flag !== undefined) parts.push(`${flag ? 'only' : 'not'} ${noun}`);
  }
  return parts.length === 0 ? 'All traffic' : parts.join(' · ');
}

function describeList(
  { key, label, noun }: TargetKey,
  { identifiers, is_whitelist: isWhite }: CodeList,
): string[] {
  // An empty list forbids nothing, or allows nothing.
  if (identifiers.length === 0) return isWhite ? [`no ${label.toLowerCase()}: nothing`] : [];
  const names = identifiers.slice(0, NAMED_MAX).map(({ code }) => meaningOf(key, code));
  const more = identifiers.length - names.length;
  const codes = names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [[isWhite ? '' : 'not', noun ?? '', codes].filter((each) => each !== '').join(' ')];
}
