import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface CodeInputProps {
  readonly label: string;
  readonly value: string;
  readonly error?: string | undefined;
  /** It takes the keyboard when it comes. */
  readonly isFirst?: boolean;
  readonly onChange: (code: string) => void;
}

/** The six digits of a second factor; spaces of apps that show them in two groups are left out. */
export function CodeInput({ label, value, error, isFirst = false, onChange }: CodeInputProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  return (
    <TextInput
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      value={value}
      error={error}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value.replaceAll(/\D/g, '').slice(0, 6))
      }
      ref={field}
    />
  );
}
