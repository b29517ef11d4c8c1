import { Fieldset, Stack, Switch, Group, Input, SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';
import type { FieldProblems } from '../forms/field-problems.ts';
import { CodeListField } from './code-list-field.tsx';
import { FLAGS, TARGET_GROUPS } from './target-keys.ts';
import {
  listOf,
  withFlag,
  withGeoRequired,
  withList,
  type ListKey,
  type Targeting,
} from './targeting.ts';

interface TargetingFormProps {
  readonly value: Targeting;
  readonly onChange: (value: Targeting) => void;
  readonly problems: FieldProblems;
  /** Where the targeting stands in what is sent: `/targeting`; empty where it is all of it. */
  readonly pointer: string;
}

/** Edits which traffic is meant. What allows everything is left out of the object. */
export function TargetingForm({ value, onChange, problems, pointer }: TargetingFormProps) {
  const pointerOf = (key: ListKey): string =>
    key === 'countries' ? `${pointer}/geo/countries` : `${pointer}/${key}`;
  return (
    <Stack gap="md">
      {TARGET_GROUPS.map(({ title, keys }, group) => (
        <Fieldset key={title} legend={title} radius="md">
          <Stack gap="sm">
            {keys.map((target) => (
              <CodeListField
                key={target.key}
                target={target}
                list={listOf(value, target.key)}
                onChange={(list) => onChange(withList(value, target.key, list))}
                error={problems.at(pointerOf(target.key))}
              />
            ))}
            {group === 0 && (
              <Switch
                label="Only with latitude and longitude"
                description="Bid requests that carry both, after what privacy takes away."
                checked={value.geo?.is_geo_data_required === true}
                onChange={({ currentTarget }) =>
                  onChange(withGeoRequired(value, currentTarget.checked))
                }
                error={problems.at(`${pointer}/geo/is_geo_data_required`)}
              />
            )}
            {title === 'Ad space' &&
              FLAGS.map(({ key, label }) => (
                <FlagField
                  key={key}
                  label={label}
                  value={value[key]}
                  onChange={(flag) => onChange(withFlag(value, key, flag))}
                  error={problems.at(`${pointer}/${key}`)}
                />
              ))}
          </Stack>
        </Fieldset>
      ))}
    </Stack>
  );
}

interface FlagFieldProps {
  readonly label: string;
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean | undefined) => void;
  readonly error: string | undefined;
}

/** Any, only or never. */
function FlagField({ label, value, onChange, error }: FlagFieldProps) {
  const id = useId();
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby={id}
          value={value === undefined ? 'any' : value ? 'only' : 'never'}
          onChange={(chosen) => onChange(chosen === 'any' ? undefined : chosen === 'only')}
          data={[
            { value: 'any', label: 'Any' },
            { value: 'only', label: 'Only' },
            { value: 'never', label: 'Never' },
          ]}
        />
      </Group>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </div>
  );
}
