import { MultiSelect, TagsInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { TargetKey } from './target-keys.ts';

/** More of them are not shown one by one: a page of ten thousand boxes is slow. */
const TAGS_MAX = 100;
const SHOWN_OPTIONS_MAX = 60;

interface CodePickerProps {
  readonly target: TargetKey;
  /** What it is for, for whoever cannot see where it stands. */
  readonly label: string;
  readonly codes: readonly string[];
  readonly onChange: (codes: readonly string[]) => void;
  readonly isInvalid: boolean;
}

/** Codes to choose or to write; many of them line by line. */
export function CodePicker(props: CodePickerProps) {
  const { target, label, codes, onChange, isInvalid } = props;
  const { options = [], isFree = false, placeholder, splits = [','] } = target;
  // Once lines, always lines: nobody loses the place where they type.
  const [isLong, setIsLong] = useState(false);
  if (codes.length > TAGS_MAX && !isLong) setIsLong(true);
  if (isLong) return <CodeLines {...props} />;
  const look = {
    'aria-label': label,
    mt: 6,
    value: [...codes],
    onChange,
    error: isInvalid,
    clearable: true,
    limit: SHOWN_OPTIONS_MAX,
    hidePickedOptions: true,
    maxDropdownHeight: 260,
    comboboxProps: { withinPortal: true },
  };
  if (!isFree) {
    return (
      <MultiSelect
        {...look}
        data={[...options]}
        searchable
        nothingFoundMessage="Nothing is called so"
        placeholder={codes.length === 0 ? 'Search' : ''}
      />
    );
  }
  return (
    <TagsInput
      {...look}
      data={options.map(({ value }) => value)}
      splitChars={[...splits]}
      placeholder={codes.length === 0 ? `such as ${placeholder ?? ''}` : ''}
    />
  );
}

function CodeLines({ label, codes, onChange, isInvalid }: CodePickerProps) {
  const [text, setText] = useState(codes.join('\n'));
  // Somebody has put other codes there: the form was reset.
  const given = codes.join('\n');
  if (linesIn(text).join('\n') !== linesIn(given).join('\n')) setText(given);
  return (
    <Textarea
      aria-label={`${label}, one in each line`}
      description={`${codes.length} codes, one in each line`}
      mt={6}
      autosize
      minRows={4}
      maxRows={12}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      error={isInvalid}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(linesIn(currentTarget.value));
      }}
    />
  );
}

function linesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
