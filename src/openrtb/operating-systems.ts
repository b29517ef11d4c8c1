/**
 * The operating systems that targeting, bid requests and reports know, by the one name that each has
 * there, with what else publishers and devices write for it. OpenRTB 2.5 leaves `device.os` to the
 * sender (section 3.2.18). `docs/reference/reports.md` is held against this table by a test.
 */
const OTHER_NAMES = {
  Android: ['Android OS', 'Android TV', 'Google TV'],
  iOS: ['iPhone OS', 'iPadOS', 'iPhone', 'iPad'],
  Windows: ['Windows NT', 'Win32', 'Win64', 'Windows 10', 'Windows 11'],
  macOS: ['Mac OS', 'Mac OS X', 'OS X', 'Macintosh', 'Mac'],
  Linux: ['GNU/Linux', 'Ubuntu'],
  'Chrome OS': ['CrOS'],
  tvOS: ['Apple TV OS', 'Apple TV'],
  'Roku OS': ['Roku'],
  Tizen: ['Tizen OS', 'Samsung Tizen'],
  webOS: ['webOS TV', 'LG webOS'],
  'Fire OS': ['Fire TV', 'Amazon Fire OS'],
  HarmonyOS: ['Harmony'],
  KaiOS: [],
  'Windows Phone': ['Windows Mobile'],
  BlackBerry: ['BlackBerry OS', 'RIM'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** An operating system that was named and is none of those above. */
export const OTHER_SYSTEM = 'Other';

/** The names, as targeting takes them and the supply report has them. */
export const OPERATING_SYSTEMS: readonly string[] = [...Object.keys(OTHER_NAMES), OTHER_SYSTEM];

const BY_SPELLING: ReadonlyMap<string, string> = new Map(
  [...Object.entries(OTHER_NAMES), [OTHER_SYSTEM, []] as const].flatMap(([name, others]) =>
    [name, ...others].map((spelling): [string, string] => [plain(spelling), name]),
  ),
);

/** The name of the operating system that a text means, in any case and spacing; null for another. */
export function operatingSystem(text: string): string | null {
  return BY_SPELLING.get(plain(text)) ?? null;
}

function plain(text: string): string {
  return text.replaceAll(/[\s_-]+/g, '').toLowerCase();
}
