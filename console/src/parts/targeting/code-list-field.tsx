import { Group, Input, SegmentedControl, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { CodePicker } from './code-picker.tsx';
import type { TargetKey } from './target-keys.ts';
import type { CodeList } from './targeting.ts';

type Mode = 'any' | 'only' | 'except';

interface CodeListFieldProps {
  readonly target: TargetKey;
  readonly list: CodeList | undefined;
  readonly onChange: (list: CodeList | undefined) => void;
  readonly error: string | undefined;
}

/** One key of a targeting: any, only these, or all except these. */
export function CodeListField({ target, list, onChange, error }: CodeListFieldProps) {
  const id = useId();
  // What was chosen while no code is there yet: the key is left out as long.
  const [chosen, setChosen] = useState<Mode>('any');
  const mode = list === undefined ? chosen : modeOf(list);
  const codes = list?.identifiers.map(({ code }) => code) ?? [];
  const choose = (next: Mode): void => {
    setChosen(next);
    onChange(next === 'any' ? undefined : listOfCodes(codes, next));
  };
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {target.label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={`${target.label}: any, only these or all except these`}
          value={mode}
          onChange={(value) => {
            if (value === 'any' || value === 'only' || value === 'except') choose(value);
          }}
          data={[
            { value: 'any', label: 'Any' },
            { value: 'only', label: 'Only' },
            { value: 'except', label: 'Except' },
          ]}
        />
      </Group>
      {mode !== 'any' && (
        <CodePicker
          target={target}
          label={`${target.label}: ${mode === 'only' ? 'only these' : 'all except these'}`}
          codes={codes}
          onChange={(next) => {
            setChosen(mode);
            onChange(listOfCodes(next, mode));
          }}
          isInvalid={error !== undefined}
        />
      )}
      {list?.is_whitelist === true && codes.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          An empty list of what is allowed allows nothing. Add to it, or choose Any.
        </Text>
      )}
      {error !== undefined && (
        <Input.Error mt={4} style={{ overflowWrap: 'anywhere' }}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}

function modeOf({ is_whitelist: isWhite }: CodeList): Mode {
  return isWhite ? 'only' : 'except';
}

function listOfCodes(codes: readonly string[], mode: Mode): CodeList {
  return { identifiers: codes.map((code) => ({ code })), is_whitelist: mode === 'only' };
}
