import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface WordsFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  /** What is often chosen; anything else can be typed. */
  readonly suggestions?: readonly string[];
}

const NONE: readonly string[] = [];

/** Short texts, such as sizes. */
export function WordsField({ value, suggestions = NONE, ...rest }: WordsFieldProps) {
  return (
    <TagsInput
      {...rest}
      value={[...value]}
      data={[...suggestions]}
      splitChars={[',', ' ', '\n']}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  );
}
