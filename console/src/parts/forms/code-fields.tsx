import { MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EnumeratedList } from '../../../../src/openrtb/enumerated-list.ts';
import { CATEGORY_GROUPS, COUNTRIES, LANGUAGES, listItems } from './codes.ts';

interface FieldProps<Value> {
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

/** Options beyond these are found by typing. */
const SHOWN_MAX = 80;
const SEARCHED = {
  searchable: true,
  clearable: true,
  limit: SHOWN_MAX,
  nothingFoundMessage: 'Nothing is called so',
  // Hundreds of options for each field would be there, and be searched by the browser, unseen.
  comboboxProps: { keepMounted: false },
  clearButtonProps: { 'aria-label': 'Clear' },
} as const;

/** Categories of the content taxonomy, found by code or name. */
export function CategoriesField({ value, ...rest }: FieldProps<string[]>) {
  return <MultiSelect {...SEARCHED} {...rest} value={value} data={CATEGORY_GROUPS} />;
}

/** Languages by their ISO 639-1 codes. */
export function LanguagesField({ value, ...rest }: FieldProps<string[]>) {
  return <MultiSelect {...SEARCHED} {...rest} value={value} data={LANGUAGES} />;
}

/** Countries by their ISO 3166-1 alpha-2 codes. */
export function CountriesField({ value, ...rest }: FieldProps<string[]>) {
  return <MultiSelect {...SEARCHED} {...rest} value={value} data={COUNTRIES} />;
}

interface ListedFieldProps<Value> extends FieldProps<Value> {
  readonly list: EnumeratedList;
}

/** Values of one of OpenRTB's lists. */
export function ListedValuesField({ list, value, onChange, ...rest }: ListedFieldProps<number[]>) {
  return (
    <MultiSelect
      {...SEARCHED}
      {...rest}
      data={listItems(list)}
      value={value.map(String)}
      onChange={(values) => onChange(values.map(Number))}
    />
  );
}

/** One value of one of OpenRTB's lists, or none. */
export function ListedValueField(props: ListedFieldProps<number | null>) {
  const { list, value, onChange, placeholder = 'Not said', ...rest } = props;
  return (
    <Select
      {...rest}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      placeholder={placeholder}
      data={listItems(list)}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  );
}

interface AnswerFieldProps extends FieldProps<0 | 1 | null> {
  readonly yes?: string;
  readonly no?: string;
}

/** Yes, no, or not said: what OpenRTB writes as 1, 0 or not at all. */
export function AnswerField({
  value,
  onChange,
  yes = 'Yes',
  no = 'No',
  ...rest
}: AnswerFieldProps) {
  return (
    <Select
      {...rest}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      placeholder="Not said"
      data={[
        { value: '1', label: yes },
        { value: '0', label: no },
      ]}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : next === '1' ? 1 : 0)}
    />
  );
}
