import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DayInput } from '../../parts/day-input.tsx';

/** What narrows the log. */
export interface AuditSearch {
  readonly resource?: string;
  readonly resource_id?: string;
  readonly actor?: string;
  readonly action?: string;
  /** Days, both included. */
  readonly from?: string;
  readonly to?: string;
}

interface AuditFiltersProps {
  readonly filters: AuditSearch;
  readonly onChange: (filters: AuditSearch) => void;
}

const RESOURCES = [
  'exchange',
  'demand partner',
  'bidder of demand partner',
  'line item',
  'publisher',
  'app',
  'site',
  'ad space',
  'deal',
  'user',
  'application',
  'webhook',
  'e-mail recipient',
  'creative review',
  'account of',
];

const ACTIONS = [
  'created',
  'updated',
  'deleted',
  'rolled',
  'revoked',
  'stopped',
  'started',
  'invited',
  'tested',
  'signed_in',
  'code_asked',
  'sign_in_failed',
];
const ALL = 'all';

/** The filters of the log; they hold once they are sent. */
export function AuditFilters({ filters, onChange }: AuditFiltersProps) {
  const [draft, setDraft] = useState<AuditSearch>(filters);
  const type = (key: keyof AuditSearch, value: string): void =>
    setDraft((before) => ({ ...before, [key]: value }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(withoutEmpty(draft));
      }}
    >
      <Group mb="md" align="flex-end" gap="sm">
        <Autocomplete
          label="Resource"
          placeholder="any"
          w={170}
          data={RESOURCES}
          value={draft.resource ?? ''}
          onChange={(value) => type('resource', value)}
        />
        <TextInput
          label="Id or name"
          w={150}
          value={draft.resource_id ?? ''}
          onChange={({ currentTarget }) => type('resource_id', currentTarget.value)}
        />
        <TextInput
          label="Actor"
          placeholder="an e-mail address"
          w={200}
          value={draft.actor ?? ''}
          onChange={({ currentTarget }) => type('actor', currentTarget.value)}
        />
        <Select
          label="Action"
          w={130}
          allowDeselect={false}
          data={[ALL, ...ACTIONS].map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          value={draft.action ?? ALL}
          onChange={(value) => type('action', value === null || value === ALL ? '' : value)}
        />
        <DayInput
          label="First day (UTC)"
          isLabelled
          value={draft.from ?? ''}
          onChange={(day) => type('from', day)}
        />
        <DayInput
          label="Last day (UTC)"
          isLabelled
          value={draft.to ?? ''}
          onChange={(day) => type('to', day)}
        />
        <Button type="submit">Find</Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="default" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

function withoutEmpty(filters: AuditSearch): AuditSearch {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value.trim() !== ''));
}
