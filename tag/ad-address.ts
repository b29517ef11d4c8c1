import type { ParameterValues } from './page-api.ts';

export type Parameters = Readonly<Record<string, string>>;

/** Of a longer address the query goes first: servers take 16 KB of everything together. */
const ADDRESS_MAX = 2000;

/** Where a slot's ad is asked for; later parameters win over earlier ones. */
export function adAddress(base: string, adSpace: string, ...parameters: Parameters[]): string {
  const query = new URLSearchParams();
  const all: Record<string, string> = Object.assign({ format: 'banner' }, ...parameters);
  for (const name of Object.keys(all)) query.set(name, all[name] || '');
  return base + '/ad/' + encodeURIComponent(adSpace) + '?' + query.toString();
}

/** What the browser says by itself. Global Privacy Control counts as "do not track". */
export function pageFacts(): Parameters {
  const { doNotTrack, language } = navigator;
  const limited = doNotTrack === '1' || Reflect.get(navigator, 'globalPrivacyControl') === true;
  return textsOf({
    page: shortened(location.href),
    ref: shortened(document.referrer),
    language,
    dnt: limited ? 1 : null,
  });
}

function shortened(address: string): string {
  const whole = address.replace(/#.*/, '');
  return whole.length > ADDRESS_MAX ? whole.replace(/\?.*/, '').slice(0, ADDRESS_MAX) : whole;
}

/** As a query has them: flags are 0 and 1, and what is not there is left out. */
export function textsOf(values: ParameterValues): Parameters {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined || value === null || value === '') continue;
    texts[name] = String(typeof value === 'boolean' ? Number(value) : value);
  }
  return texts;
}

/** `300x250` as parameters; nothing for what is no size. */
export function sizeParameters(size: string | undefined): { w?: string; h?: string } {
  const [, w, h] = /^(\d+)x(\d+)$/.exec(size || '') || [];
  return w === undefined || h === undefined ? {} : { w, h };
}
