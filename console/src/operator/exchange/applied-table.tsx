import { Alert, List, Stack, Table, Text } from '@mantine/core';
import { formatCount } from '../../parts/format.ts';
import { ShortChanges } from '../audit-log/short-changes.tsx';
import type { AppliedAnswer } from '../../../../src/management/configuration/schema.ts';

/** As many changes as are listed; whoever applies more has looked at the file. */
const LISTED_MAX = 500;

/** What a file would come to. */
export function AppliedTable({ applied }: { readonly applied: AppliedAnswer }) {
  const { created, updated, unchanged, changes, notes } = applied;
  return (
    <Stack gap="md">
      <Text size="sm">
        <b>{formatCount(created)}</b> would be created, <b>{formatCount(updated)}</b> updated,{' '}
        <b>{formatCount(unchanged)}</b> are as the file says.
        {changes.length === 0 && ' There is nothing to apply.'}
      </Text>
      {notes.length > 0 && (
        <Alert color="orange" title="Look at this first">
          <List size="sm" className="break-anywhere">
            {notes.map(({ pointer, message, line }) => (
              <List.Item key={`${line} ${pointer} ${message}`}>
                Line {line}, <code>{pointer}</code>: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {changes.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" mah={420}>
          <Table aria-label="What would change" fz="sm" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What would happen</Table.Th>
                <Table.Th>Resource</Table.Th>
                <Table.Th>Id or name</Table.Th>
                <Table.Th>What of it</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.slice(0, LISTED_MAX).map(({ action, resource, resource_id: id, fields }) => (
                <Table.Tr key={`${resource} ${id}`}>
                  <Table.Td>{action}</Table.Td>
                  <Table.Td>{resource}</Table.Td>
                  <Table.Td className="break-anywhere">{id}</Table.Td>
                  <Table.Td>
                    <ShortChanges changes={fields} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {changes.length > LISTED_MAX && (
        <Text size="sm">and {formatCount(changes.length - LISTED_MAX)} more</Text>
      )}
    </Stack>
  );
}
