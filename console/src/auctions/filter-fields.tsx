import { NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly data: { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string | null) => void;
}

/** One of several, or any. */
export function Choice({ label, value, data, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      searchable={data.length > 8}
      value={value ?? null}
      data={data}
      onChange={onChange}
      comboboxProps={{ width: data.length > 8 ? 360 : 'target', position: 'bottom-start' }}
    />
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly pattern: RegExp;
  readonly wrong: string;
  readonly onCommit: (value: string | undefined) => void;
}

/** Looks when it is left, or with Enter: not with each letter. */
export function TextFilter(props: TextFilterProps) {
  // What was taken out elsewhere is taken out here.
  return <TextField key={props.value ?? ''} {...props} />;
}

function TextField({ label, placeholder, value, pattern, wrong, onCommit }: TextFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const text = label === 'Country' ? typed.trim().toUpperCase() : typed.trim();
  const isGood = text === '' || pattern.test(text);
  const commit = (): void => {
    if (isGood && text !== (value ?? '')) onCommit(text === '' ? undefined : text);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      error={isGood ? null : wrong}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}

interface NumberFilterProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onCommit: (value: number | undefined) => void;
}

/** An id, or any. */
export function NumberFilter(props: NumberFilterProps) {
  return <NumberField key={props.value ?? ''} {...props} />;
}

function NumberField({ label, value, onCommit }: NumberFilterProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  const commit = (): void => {
    const number = typed === '' ? undefined : Number(typed);
    if (number !== value) onCommit(number);
  };
  return (
    <NumberInput
      label={label}
      placeholder="Any"
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
      allowDecimal={false}
      allowNegative={false}
      min={1}
      max={2_000_000_000}
      hideControls
    />
  );
}
