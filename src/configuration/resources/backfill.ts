import { FORMAT_BANNER, FORMAT_NATIVE } from '../../auction/formats.ts';
import { findInsecureAsset } from '../../auction/insecure-assets.ts';
import { nativeRequestOf } from '../../auction/native-request.ts';
import { describeProblems } from '../../base/problem.ts';
import { kindOfMarkup } from '../../openrtb/markup.ts';
import { explainNativeAd, explainNativeSizes } from '../../openrtb/native-compliance.ts';
import { readNativeResponse } from '../../openrtb/read-native.ts';
import type { AdSpace, Format } from '../../snapshot/entities.ts';
import type { Finding } from '../finding.ts';

const PROBLEMS_MAX = 3;

/**
 * What is wrong with an ad space's backfill, which has to fit its formats.
 *
 * @param unsound keys of the ad space of which nothing more is said.
 */
export function backfillFaults(adSpace: AdSpace, unsound: ReadonlySet<string>): Finding[] {
  const faults: Finding[] = [];
  const { backfill } = adSpace;
  if (backfill === null) return faults;
  const check = (format: Format, faultOf: (text: string) => string | null): void => {
    const text = backfill[format];
    if (text === null || unsound.has(format)) return;
    const message = adSpace[format] === null ? `is for ad spaces with ${format}` : faultOf(text);
    if (message !== null) faults.push({ path: ['backfill', format], message });
  };
  check('banner', bannerFault);
  check('video', () => null);
  check('native', (text) => nativeFault(text, adSpace));
  return faults;
}

function bannerFault(text: string): string | null {
  const kind = kindOfMarkup(text);
  if (kind !== 'html') return `must be HTML, found ${kind === 'vast' ? 'VAST' : 'JSON'}`;
  return insecureFault(findInsecureAsset(text, FORMAT_BANNER));
}

function nativeFault(text: string, { native }: AdSpace): string | null {
  const read = readNativeResponse(text);
  const problems = read.ok ? [] : [...read.problems];
  if (read.ok && native !== null) {
    const request = nativeRequestOf(native);
    problems.push(...explainNativeAd(read.value, request));
    problems.push(...explainNativeSizes(read.value, request));
  }
  if (problems.length > 0) {
    const described = describeProblems(problems.slice(0, PROBLEMS_MAX));
    return `must be a native ad that has what the ad space asks for: ${described}`;
  }
  return insecureFault(findInsecureAsset(text, FORMAT_NATIVE));
}

function insecureFault(address: string | null): string | null {
  return address === null ? null : `must load everything over HTTPS, found ${address}`;
}
