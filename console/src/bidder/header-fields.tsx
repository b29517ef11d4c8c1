import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { Section } from '../parts/forms/section.tsx';
import type { Edit } from '../parts/forms/use-edit.ts';
import type { BidderDraft, HeaderDraft } from './bidder-draft.ts';

const HEADERS_MAX = 20;

/** Headers that go with each bid request, an API key or an account, say. */
export function HeaderFields({ edit }: { readonly edit: Edit<BidderDraft> }) {
  const { draft, put, problems } = edit;
  const { headers } = draft;
  const change = (row: number, changed: Partial<HeaderDraft>): void =>
    put({ headers: headers.map((each) => (each.row === row ? { ...each, ...changed } : each)) });
  const add = (): void => {
    const row = Math.max(-1, ...headers.map((each) => each.row)) + 1;
    put({ headers: [...headers, { row, name: '', value: '' }] });
  };
  const own = headers.map(({ name }) => problems.at(pointerOf(name)));
  const rest = problems.at('/headers');
  return (
    <Section title="Headers">
      <Text size="sm" c="dimmed">
        They go with every bid request, and are shown to this demand partner and to operators alone.
      </Text>
      <Stack gap="xs">
        {headers.map(({ row, name, value }, index) => (
          <div key={row}>
            <Group gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                aria-label={`Name of header ${index + 1}`}
                placeholder="x-api-key"
                value={name}
                spellCheck={false}
                error={own[index] !== undefined}
                onChange={({ currentTarget }) => change(row, { name: currentTarget.value })}
                w="40%"
              />
              <TextInput
                aria-label={`Value of header ${index + 1}`}
                placeholder="value"
                value={value}
                spellCheck={false}
                autoComplete="off"
                error={own[index] !== undefined}
                onChange={({ currentTarget }) => change(row, { value: currentTarget.value })}
                style={{ flex: 1 }}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove header ${index + 1}${name === '' ? '' : `, ${name}`}`}
                onClick={() => put({ headers: headers.filter((each) => each.row !== row) })}
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </Group>
            {own[index] !== undefined && (
              <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
                {own[index]}
              </Text>
            )}
          </div>
        ))}
        {rest !== undefined && own.every((each) => each === undefined) && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {rest}
          </Text>
        )}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            disabled={headers.length >= HEADERS_MAX}
            onClick={add}
          >
            Add a header
          </Button>
        </div>
      </Stack>
    </Section>
  );
}

/** A key in a JSON pointer. Source: RFC 6901 section 3. */
function pointerOf(name: string): string {
  return `/headers/${name.trim().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
