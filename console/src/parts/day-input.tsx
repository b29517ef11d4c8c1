import { TextInput } from '@mantine/core';

interface DayInputProps {
  readonly label: string;
  /** Beside others that say what it is, its label is for whoever cannot see them. */
  readonly isLabelled?: boolean;
  /** YYYY-MM-DD; empty for any. */
  readonly value: string;
  /** The first and the last that can be chosen. */
  readonly window?: { readonly first: string; readonly last: string };
  /** Told of whole days within the window alone, and of none where none was before. */
  readonly onChange: (day: string) => void;
}

/** Chooses a day in UTC. */
export function DayInput({ label, isLabelled = false, value, window, onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      size="sm"
      w={150}
      {...(isLabelled ? { label } : { 'aria-label': `${label}, UTC` })}
      {...(window !== undefined && { min: window.first, max: window.last })}
      value={value}
      onChange={({ currentTarget: { value: day } }) => {
        if (window === undefined || (day >= window.first && day <= window.last)) onChange(day);
      }}
    />
  );
}
