import { Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { same } from './changes.ts';

interface LinesFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly readOnly?: boolean;
}

/** A list of texts, one on each line, so that a long one can be pasted. */
export function LinesField({ value, onChange, error, ...rest }: LinesFieldProps) {
  const [typed, setTyped] = useState(() => value.join('\n'));
  const isSame = same(linesOf(typed), value);
  return (
    <Textarea
      {...rest}
      value={isSame ? typed : value.join('\n')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
      error={error}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      autoCapitalize="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    />
  );
}

/** Lines and commas part what is pasted; what is empty is nothing. */
function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
