import type { Signals } from '../privacy/signals.ts';

/**
 * The macros of a partner's address, as partners of other exchanges know them: those of the IAB's
 * specifications (`${GDPR_CONSENT}` may name the vendor behind it), and Prebid's in double braces.
 */
const MACRO =
  /\$\{(GDPR|GDPR_CONSENT|US_PRIVACY|GPP|GPP_SID|REDIRECT)(?:(?<=CONSENT)_[0-9]{1,5})?\}|\{\{\.?(gdpr|gdpr_consent|us_privacy|gpp|gpp_sid|redirect)\}\}/gi;

/**
 * Fills a partner's address in one pass: nothing that was filled in is filled again. Each value is
 * percent-encoded, one that is not known is empty, and what is no macro stays as it is.
 *
 * @param redirect where the partner sends the browser back to.
 */
export function fillSyncUrl(template: string, signals: Signals, redirect: string): string {
  const values: Readonly<Record<string, string>> = {
    gdpr: signals.gdpr === null ? '' : String(signals.gdpr),
    gdpr_consent: signals.consent ?? '',
    us_privacy: signals.usPrivacy ?? '',
    gpp: signals.gpp ?? '',
    gpp_sid: signals.gppSid?.join(',') ?? '',
    redirect,
  };
  return template.replaceAll(MACRO, (_, iab: string | undefined, prebid: string | undefined) => {
    return encodeURIComponent(values[(iab ?? prebid ?? '').toLowerCase()] ?? '');
  });
}

/** The signals as parameters of an address, under the names that tags use; none that was not said. */
export function signalParameters(signals: Signals): [name: string, value: string][] {
  const { coppa, gdpr, consent, usPrivacy, gpp, gppSid } = signals;
  const all: [string, string | undefined][] = [
    ['coppa', coppa?.toString()],
    ['gdpr', gdpr?.toString()],
    ['consent', consent ?? undefined],
    ['us_privacy', usPrivacy ?? undefined],
    ['gpp', gpp ?? undefined],
    ['gpp_sid', gppSid?.join(',')],
  ];
  return all.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
}
