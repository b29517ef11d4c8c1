import { Input, MultiSelect, Pill, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/use-ask.ts';

interface AdSpacesFieldProps {
  readonly label: string;
  readonly help: string | undefined;
  readonly error: string | undefined;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** Chooses ad spaces, those of one publisher at a time; what is chosen stays for all of them. */
export function AdSpacesField({ label, help, error, ids, onChange }: AdSpacesFieldProps) {
  const [publisherId, setPublisherId] = useState<string | null>(null);
  const publishers = useAsk('/api/publishers/', { sort: 'name', limit: 10_000 });
  const found = useAsk(
    `/api/publishers/${publisherId}/ad-spaces/`,
    { sort: 'name', limit: 10_000 },
    { enabled: publisherId !== null },
  );
  const offered = (found.data?.body ?? []).map(({ id, name, status }) => ({
    value: String(id),
    label: `${name} (${id}${status === 'ACTIVE' ? '' : `, ${status.toLowerCase()}`})`,
  }));
  const ofThis = new Set(offered.map(({ value }) => value));
  const others = ids.filter((id) => !ofThis.has(id));
  return (
    <Input.Wrapper
      label={label}
      description={help}
      error={error}
      role="group"
      labelElement="div"
      aria-label={label}
    >
      <Stack gap="xs" mt={6}>
        {others.length > 0 && (
          <Pill.Group>
            {others.map((id) => (
              <Pill
                key={id}
                withRemoveButton
                removeButtonProps={{
                  'aria-label': `Remove ad space ${id}`,
                  'aria-hidden': false,
                  tabIndex: 0,
                }}
                onRemove={() => onChange(ids.filter((each) => each !== id))}
              >
                Ad space {id}
              </Pill>
            ))}
          </Pill.Group>
        )}
        <Select
          label="Publisher"
          placeholder="Choose whose ad spaces to add"
          searchable
          data={(publishers.data?.body ?? []).map(({ id, name }) => ({
            value: String(id),
            label: `${name} (${id})`,
          }))}
          value={publisherId}
          onChange={setPublisherId}
        />
        {publisherId !== null && (
          <MultiSelect
            label="Its ad spaces in the deal"
            placeholder={offered.length === 0 ? 'It has no ad spaces' : 'Choose ad spaces'}
            searchable
            data={offered}
            value={ids.filter((id) => ofThis.has(id))}
            onChange={(chosen) => onChange([...others, ...chosen])}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
