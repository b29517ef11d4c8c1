import { Box, Input, MultiSelect, Select, Switch, Text, TextInput } from '@mantine/core';
import { CategoriesField, LanguagesField, ListedValueField } from './code-fields.tsx';
import type { FieldProblems } from './field-problems.ts';
import { FloorsField } from './floors-field.tsx';
import { LinesField } from './lines-field.tsx';
import { NumberField } from './number-field.tsx';
import { WordsField } from './words-field.tsx';
import { AdSpacesField } from './ad-spaces-field.tsx';
import { floorsIn, numbersIn, textIn, textsIn, type Setting } from './setting.ts';

interface SettingFieldProps {
  readonly setting: Setting;
  /** As the API has it. */
  readonly value: unknown;
  readonly problems: FieldProblems;
  readonly onChange: (value: unknown) => void;
}

/** The field of one setting. */
export function SettingField(props: SettingFieldProps) {
  const { setting, value, problems, onChange } = props;
  const shared = sharedOf(setting, problems);
  const number = typeof value === 'number' ? value : null;
  switch (setting.kind) {
    case 'switch':
      return (
        <Switch
          label={shared.label}
          description={shared.description}
          error={shared.error}
          disabled={shared.disabled}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...shared}
          autoComplete="off"
          value={textIn(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'number':
      return (
        <NumberField
          {...shared}
          thousandSeparator={setting.isId === true ? '' : ','}
          {...(setting.unit === undefined ? {} : unitOf(setting.unit))}
          value={number}
          onChange={onChange}
        />
      );
    case 'percent':
      return (
        <NumberField
          {...shared}
          {...unitOf('%')}
          value={number === null ? null : rounded(number * 100, 10_000)}
          // 7 / 100 is 0.07 and a bit: the API takes steps of 0.0001.
          onChange={(percent) => onChange(percent === null ? null : rounded(percent / 100, 1e6))}
        />
      );
    case 'choice': {
      const { none, choices } = setting;
      const data = none === undefined ? choices : [{ value: '', label: none }, ...choices];
      return (
        <Select
          {...shared}
          allowDeselect={false}
          data={data}
          value={textIn(value)}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    }
    case 'listed':
      return (
        <ListedValueField {...shared} list={setting.list} value={number} onChange={onChange} />
      );
    case 'choices':
    case 'categories':
    case 'languages':
    case 'tags':
    case 'lines':
    case 'ad_spaces':
    case 'floors':
      return <ListField {...props} setting={setting} />;
  }
}

type ListKind = 'choices' | 'categories' | 'languages' | 'tags' | 'lines' | 'ad_spaces' | 'floors';

/** The field of a setting that is a list. */
function ListField({
  setting,
  value,
  problems,
  onChange,
}: SettingFieldProps & { readonly setting: Extract<Setting, { readonly kind: ListKind }> }) {
  const { label, help } = setting;
  const shared = sharedOf(setting, problems);
  const texts = textsIn(value);
  switch (setting.kind) {
    case 'choices':
      return (
        <MultiSelect
          {...shared}
          searchable
          clearable
          data={setting.choices}
          value={texts}
          onChange={onChange}
        />
      );
    case 'categories':
      return <CategoriesField {...shared} value={texts} onChange={onChange} />;
    case 'languages':
      return <LanguagesField {...shared} value={texts} onChange={onChange} />;
    case 'tags': {
      const { suggestions = [] } = setting;
      return <WordsField {...shared} suggestions={suggestions} value={texts} onChange={onChange} />;
    }
    case 'lines':
      return <LinesField {...shared} value={texts} onChange={onChange} />;
    case 'ad_spaces':
      return (
        <AdSpacesField
          {...{ label, help, error: shared.error }}
          ids={numbersIn(value).map(String)}
          onChange={(ids) => onChange(ids.map(Number))}
        />
      );
    case 'floors':
      // What is wrong with them is shown at each of them.
      return (
        <Input.Wrapper label={label} description={help} labelElement="div">
          <Box mt={6}>
            <FloorsField value={floorsIn(value)} onChange={onChange} problems={problems} />
          </Box>
        </Input.Wrapper>
      );
  }
}

/** Problems of floors are asked for by the fields of each. */
function sharedOf(setting: Setting, problems: FieldProblems) {
  const { key, kind, label, help, placeholder, isRequired = false, isFixed = false } = setting;
  return {
    label,
    description: help,
    error: kind === 'floors' ? undefined : problems.at(`/${key}`),
    required: isRequired,
    disabled: isFixed,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

function unitOf(unit: string) {
  return {
    rightSection: (
      <Text size="xs" c="dimmed">
        {unit}
      </Text>
    ),
    rightSectionWidth: 72,
  };
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
