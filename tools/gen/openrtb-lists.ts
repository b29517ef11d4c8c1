import { CONTENT_CATEGORIES } from '../../src/openrtb/content-taxonomy.ts';
import { listedValues, type EnumeratedList } from '../../src/openrtb/enumerated-list.ts';
import { INDUSTRY_LISTS, LISTS } from '../../src/openrtb/lists.ts';
import { LOSS_REASONS } from '../../src/openrtb/loss-reason.ts';
import { table } from './table.ts';

/** `docs/reference/openrtb-lists.md`: every list of values, the loss reasons and the categories. */
export function openrtbListsReference(): string {
  return [
    '# OpenRTB lists',
    '',
    '<!-- Written by "npm run gen" from the lists in src/openrtb; change them there. -->',
    '',
    'What the numbers and codes in [the fields](openrtb.md) mean. Bidders get no value that is not listed',
    'here; a publisher may send others, which go no further.',
    '',
    ...[...LISTS, ...INDUSTRY_LISTS].flatMap(sectionOf),
    '## Loss reasons',
    '',
    'Why a bid won or lost, OpenRTB 2.5 list 5.25; `${AUCTION_LOSS}` carries the code.',
    '',
    ...table(['Code', 'Meaning'], Object.entries(LOSS_REASONS)),
    '',
    '## Content taxonomy',
    '',
    'The content taxonomy 1.0. A code belongs to what it stands below: blocking `IAB7` blocks `IAB7-39`.',
    '',
    ...table(['Code', 'Category'], [...CONTENT_CATEGORIES]),
    '',
  ].join('\n');
}

/** Anchor of a list on that page. */
export function listAnchor(list: EnumeratedList): string {
  return headingOf(list)
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function headingOf({ section, title }: EnumeratedList): string {
  // A numbered list is the spec's; the others say whose they are.
  return `${/^\d/.test(section) ? 'List ' : ''}${section}: ${title.replace(/ \(.*\)$/, '')}`;
}

function sectionOf(list: EnumeratedList): string[] {
  const note = / \((.*)\)$/.exec(list.title)?.[1];
  const meanings: Readonly<Record<string, string>> = list.meanings;
  const rows = listedValues(list).map((value) => [`${value}`, meanings[value] ?? '']);
  return [
    `## ${headingOf(list)}`,
    '',
    ...(note === undefined ? [] : [`${note.charAt(0).toUpperCase()}${note.slice(1)}.`, '']),
    ...table(['Value', 'Meaning'], rows),
    '',
  ];
}
