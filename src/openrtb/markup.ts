import { BannerAdType } from './creative-lists.ts';
import { VideoProtocol } from './video-lists.ts';

/** What markup is. */
export type MarkupKind = 'html' | 'vast' | 'native';

/** How much of markup is looked at to tell what it is, in characters. */
const START_CHARS = 1_024;

/** What markup is, by how it starts: VAST is XML with its own root, native is JSON, the rest HTML. */
export function kindOfMarkup(adm: string): MarkupKind {
  if (adm.slice(0, START_CHARS).trimStart().startsWith('{')) return 'native';
  return /^<VAST[\s/>]/i.test(startOf(adm)) ? 'vast' : 'html';
}

/**
 * The protocol of VAST markup, a value of list 5.8: its version, and whether its ads are inline or
 * wrappers of others. Undefined for a version that the list does not name, and for what is no VAST.
 */
export function protocolOfVast(adm: string): VideoProtocol | undefined {
  const protocols = PROTOCOLS.get(versionOfVast(adm) ?? '');
  return /<Wrapper[\s>]/i.test(adm) ? protocols?.wrapper : protocols?.inline;
}

/** The version that VAST markup names, as it is written; undefined where it names none. */
export function versionOfVast(adm: string): string | undefined {
  const root = /^<VAST\s[^>]*?\bversion\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(startOf(adm));
  return (root?.[1] ?? root?.[2])?.trim();
}

/** Elements that a banner of text alone is made of. */
const OTHER_THAN_TEXT =
  /<(?!(?:a|abbr|b|body|br|div|em|h[1-6]|html|i|p|small|span|strong|u)[\s/>])[a-z]/i;

/** What a banner's markup is, a value of list 5.2. */
export function typeOfBanner(adm: string): BannerAdType {
  if (/^<iframe[\s>]/i.test(startOf(adm))) return BannerAdType.Iframe;
  if (/<script[\s>]/i.test(adm)) return BannerAdType.JavaScript;
  return OTHER_THAN_TEXT.test(adm) ? BannerAdType.XhtmlBanner : BannerAdType.XhtmlText;
}

interface VastProtocols {
  readonly inline: VideoProtocol;
  readonly wrapper: VideoProtocol;
}

const VAST_2: VastProtocols = { inline: VideoProtocol.Vast2, wrapper: VideoProtocol.Vast2Wrapper };
const VAST_3: VastProtocols = { inline: VideoProtocol.Vast3, wrapper: VideoProtocol.Vast3Wrapper };

/** Versions as they are written; VAST 1.0 has another root, `VideoAdServingTemplate`. */
const PROTOCOLS: ReadonlyMap<string, VastProtocols> = new Map([
  ['2.0', VAST_2],
  ['2.0.1', VAST_2],
  ['2', VAST_2],
  ['3.0', VAST_3],
  ['3', VAST_3],
]);

/** How markup starts, behind an XML declaration and comments. */
function startOf(adm: string): string {
  let start = adm.slice(0, START_CHARS).trimStart();
  start = start.replace(/^<\?xml[^>]*>/i, '').trimStart();
  // One comment at a time, because one pattern for any number of them tries every way to part them.
  while (start.startsWith('<!--')) {
    const end = start.indexOf('-->', '<!--'.length);
    if (end < 0) return start;
    start = start.slice(end + '-->'.length).trimStart();
  }
  return start;
}
