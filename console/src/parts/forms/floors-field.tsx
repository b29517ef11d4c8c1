import { ActionIcon, Button, Group, MultiSelect, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FloorInput } from '../../../../src/resources/floors.ts';
import type { FieldProblems } from './field-problems.ts';
import { CountriesField } from './code-fields.tsx';
import { PriceField } from './number-field.tsx';

interface FloorsFieldProps {
  readonly value: readonly FloorInput[];
  readonly onChange: (value: FloorInput[]) => void;
  readonly problems: FieldProblems;
  readonly readOnly?: boolean;
}

/** Floors by country and format; those that name more are taken before those that name less. */
export function FloorsField({ value, onChange, problems, readOnly = false }: FloorsFieldProps) {
  const keys = useRowKeys(value.length);
  const faults = value.map((_rule, at) => faultsOf(problems, at));
  const all = problems.at('/floors');
  return (
    <Stack gap="sm" role="group" aria-label="Floors by country and format">
      {value.map((rule, at) => (
        <FloorRow
          key={keys.of(at)}
          number={at + 1}
          rule={rule}
          faults={faults[at] ?? NO_FAULTS}
          readOnly={readOnly}
          onChange={(next) => onChange(value.map((each, index) => (index === at ? next : each)))}
          onRemove={() => {
            keys.remove(at);
            onChange(value.filter((_each, index) => index !== at));
          }}
        />
      ))}
      {value.length === 0 && (
        <Text size="sm" c="dimmed">
          No floors by country or format.
        </Text>
      )}
      {all !== undefined && value.length === 0 && (
        <Text size="sm" c="red">
          {all}
        </Text>
      )}
      {!readOnly && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => onChange([...value, { floor: 1 }])}
          >
            Add a floor
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface Faults {
  readonly countries: string | undefined;
  readonly formats: string | undefined;
  readonly floor: string | undefined;
  readonly rule: string | undefined;
}

const NO_FAULTS: Faults = {
  countries: undefined,
  formats: undefined,
  floor: undefined,
  rule: undefined,
};

/** What is said of the row as a whole is not said again below one of its fields. */
function faultsOf(problems: FieldProblems, at: number): Faults {
  const countries = problems.at(`/floors/${at}/countries`);
  const formats = problems.at(`/floors/${at}/formats`);
  const floor = problems.at(`/floors/${at}/floor`);
  const known = countries ?? formats ?? floor;
  return {
    countries,
    formats,
    floor,
    rule: known === undefined ? problems.at(`/floors/${at}`) : undefined,
  };
}

interface FloorRowProps {
  readonly number: number;
  readonly rule: FloorInput;
  readonly faults: Faults;
  readonly readOnly: boolean;
  readonly onChange: (rule: FloorInput) => void;
  readonly onRemove: () => void;
}

function FloorRow({ number, rule, faults, readOnly, onChange, onRemove }: FloorRowProps) {
  const { countries = [], formats = [], floor } = rule;
  const changed = (part: Partial<FloorInput>): void => {
    const next = { countries, formats, floor, ...part };
    onChange({
      floor: next.floor,
      ...(next.countries.length === 0 ? {} : { countries: next.countries }),
      ...(next.formats.length === 0 ? {} : { formats: next.formats }),
    });
  };
  return (
    <Paper p="sm" role="group" aria-label={`Floor ${number}`}>
      <Group align="flex-start" gap="sm">
        <div style={{ flex: '2 1 220px', minWidth: 0 }}>
          <CountriesField
            label="Countries"
            placeholder={countries.length === 0 ? 'All countries' : ''}
            value={countries}
            onChange={(next) => changed({ countries: next })}
            error={faults.countries}
            disabled={readOnly}
          />
        </div>
        <MultiSelect
          label="Formats"
          placeholder={formats.length === 0 ? 'All formats' : ''}
          data={FORMATS}
          value={formats}
          onChange={(next) => changed({ formats: FORMATS.filter((each) => next.includes(each)) })}
          error={faults.formats}
          disabled={readOnly}
          style={{ flex: '1 1 180px' }}
        />
        <PriceField
          label="Floor (USD CPM)"
          value={floor}
          onChange={(next) => changed({ floor: next ?? 0 })}
          error={faults.floor}
          readOnly={readOnly}
          style={{ flex: '0 1 140px' }}
        />
        {!readOnly && (
          <Tooltip label="Remove">
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={`Remove floor ${number}`}
              onClick={onRemove}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {faults.rule !== undefined && (
        <Text size="sm" c="red" mt={4}>
          {faults.rule}
        </Text>
      )}
    </Paper>
  );
}

const FORMATS = ['banner', 'video', 'native'] as const;

/** Rows have no ids: what is typed in one must not move to another when one before it goes. */
function useRowKeys(count: number) {
  const [{ known, next }, setKeys] = useState<RowKeys>({ known: [], next: 0 });
  const of = (at: number): number => known[at] ?? next + at;
  const remove = (gone: number): void => {
    const all = Array.from({ length: count }, (_, at) => of(at));
    setKeys({ known: all.filter((_key, at) => at !== gone), next: next + count });
  };
  return { of, remove };
}

interface RowKeys {
  readonly known: readonly number[];
  /** Of the first row that has no key yet. */
  readonly next: number;
}
