import type { IncomingHttpHeaders } from 'node:http';
import { readSignals, type Signals } from '../privacy/signals.ts';

/** The parameters of an address; of a repeated one the first counts. */
export function queryOf(url: string | undefined): URLSearchParams {
  const at = url?.indexOf('?') ?? -1;
  return new URLSearchParams(at < 0 || url === undefined ? '' : url.slice(at + 1));
}

/**
 * The user's rights as an address and the browser's own headers say them. The parameters have the
 * names of OpenRTB, as those of all tags; `gdpr_consent` is what others call `consent`.
 *
 * @param optedOut by the exchange's cookie.
 */
export function querySignals(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  optedOut: boolean,
): Signals {
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  return readSignals({
    regs: {
      coppa: text('coppa'),
      ext: {
        gdpr: text('gdpr'),
        us_privacy: text('us_privacy'),
        gpp: text('gpp'),
        gpp_sid: sectionsOf(text('gpp_sid')),
      },
    },
    user: { ext: { consent: text('consent') ?? text('gdpr_consent') } },
    device: { lmt: text('lmt'), dnt: text('dnt') === '1' ? '1' : headers.dnt },
    optedOut: optedOut || hasGlobalOptOut(headers),
  });
}

/** As OpenRTB has them; what is not a number stays one that cannot be read. An empty text says nothing. */
function sectionsOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return text.split(/[,_]/).map((id) => (id.trim() === '' ? Number.NaN : Number(id)));
}

/** Global Privacy Control: the browser's word against sale and sharing, on every site. */
export function hasGlobalOptOut(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] === '1';
}
