import type { ComboboxItem, ComboboxItemGroup } from '@mantine/core';
import { CONTENT_CATEGORIES } from '../../../../src/openrtb/content-taxonomy.ts';
import type { EnumeratedList } from '../../../../src/openrtb/enumerated-list.ts';
import { ALPHA_2_LANGUAGES } from '../../../../src/openrtb/iso-codes.ts';
import { COUNTRY_CODES, countryName } from '../targeting/countries.ts';

/** `IAB7-39 Weight Loss`; the code alone where it is not known. */
export function categoryLabel(code: string): string {
  const name = CONTENT_CATEGORIES.get(code);
  return name === undefined ? code : `${code} ${name}`;
}

/** All categories, those below each other together. */
export const CATEGORY_GROUPS: readonly ComboboxItemGroup<ComboboxItem>[] = groupsOf(
  [...CONTENT_CATEGORIES.keys()].map((code) => ({ value: code, label: categoryLabel(code) })),
);

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The languages that creatives can have. */
export const LANGUAGES: readonly ComboboxItem[] = [...ALPHA_2_LANGUAGES].map((code) => ({
  value: code,
  label: `${code} ${languageNames.of(code) ?? ''}`,
}));

/** The countries that floors can be set for. */
export const COUNTRIES: readonly ComboboxItem[] = COUNTRY_CODES.map((code) => ({
  value: code,
  label: `${code} ${countryName(code)}`,
}));

/** What one value of a list means, with the value itself. */
export function listLabel(list: EnumeratedList, value: number): string {
  return `${value} ${new Map(Object.entries(list.meanings)).get(String(value)) ?? ''}`.trim();
}

/** The values of one of OpenRTB's lists, to choose from. */
export function listItems(list: EnumeratedList): ComboboxItem[] {
  return Object.keys(list.meanings).map((value) => ({
    value,
    label: listLabel(list, Number(value)),
  }));
}

function groupsOf(items: readonly ComboboxItem[]): ComboboxItemGroup<ComboboxItem>[] {
  const groups = new Map<string, ComboboxItem[]>();
  for (const item of items) {
    const [parent = ''] = item.value.split('-');
    const group = groups.get(parent) ?? [];
    group.push(item);
    groups.set(parent, group);
  }
  return [...groups].map(([parent, members]) => ({
    group: categoryLabel(parent),
    items: members,
  }));
}
