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
export function SettingField({ setting, value, problems, onChange }: SettingFieldProps) {
  const { key, label, help, placeholder, isRequired = false, isFixed = false } = setting;
  if (setting.kind === 'floors') {
    // What is wrong with them is shown at each of them.
    return (
      <Input.Wrapper label={label} description={help} labelElement="div">
        <Box mt={6}>
          <FloorsField value={floorsIn(value)} onChange={onChange} problems={problems} />
        </Box>
      </Input.Wrapper>
    );
  }
  const error = problems.at(`/${key}`);
  const shared = {
    label,
    description: help,
    error,
    required: isRequired,
    disabled: isFixed,
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  switch (setting.kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          description={help}
          error={error}
          disabled={isFixed}
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
          value={typeof value === 'number' ? value : null}
          onChange={onChange}
        />
      );
    case 'percent':
      return (
        <NumberField
          {...shared}
          {...unitOf('%')}
          value={typeof value === 'number' ? rounded(value * 100, 10_000) : null}
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
    case 'choices':
      return (
        <MultiSelect
          {...shared}
          searchable
          clearable
          data={setting.choices}
          value={textsIn(value)}
          onChange={onChange}
        />
      );
    case 'categories':
      return <CategoriesField {...shared} value={textsIn(value)} onChange={onChange} />;
    case 'languages':
      return <LanguagesField {...shared} value={textsIn(value)} onChange={onChange} />;
    case 'listed': {
      const code = typeof value === 'number' ? value : null;
      return <ListedValueField {...shared} list={setting.list} value={code} onChange={onChange} />;
    }
    case 'tags': {
      const { suggestions = [] } = setting;
      return (
        <WordsField
          {...shared}
          suggestions={suggestions}
          value={textsIn(value)}
          onChange={onChange}
        />
      );
    }
    case 'lines':
      return <LinesField {...shared} value={textsIn(value)} onChange={onChange} />;
    case 'ad_spaces':
      return (
        <AdSpacesField
          {...{ label, help, error }}
          ids={numbersIn(value).map(String)}
          onChange={(ids) => onChange(ids.map(Number))}
        />
      );
  }
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
