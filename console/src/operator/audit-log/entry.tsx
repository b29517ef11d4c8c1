import { Anchor, Badge, Button, Collapse, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../parts/format.ts';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { ShownAuditEntry } from '../../../../src/management/audit-log/schema.ts';
import { wordsOf } from '../../parts/words-of.ts';
import { pageOf } from './page-of.ts';
import { ShortChanges } from './short-changes.tsx';

/** As many changed fields as can be taken in at a glance. */
const AT_A_GLANCE = 4;

const COLORS: Readonly<Record<string, string>> = {
  created: 'teal',
  invited: 'teal',
  started: 'teal',
  deleted: 'red',
  revoked: 'red',
  stopped: 'red',
  sign_in_failed: 'red',
};

/** One line of the log, with what changed. */
export function Entry({ entry }: { readonly entry: ShownAuditEntry }) {
  const { at, actor, client_id: client, action, resource, resource_id: id, changes } = entry;
  // What is new has no before: its keys are there for whoever asks.
  const isShort = action !== 'created' && changes.length <= AT_A_GLANCE;
  const [isOpen, { toggle }] = useDisclosure(false);
  const keys = changes.length === 1 ? '1 field' : `${formatCount(changes.length)} fields`;
  return (
    <li className="audit-entry">
      <Group gap="xs" justify="space-between" align="flex-start" py="sm">
        <div style={{ flex: '1 1 320px', minWidth: 0 }}>
          <Group gap="xs">
            <Badge variant="light" color={COLORS[action] ?? 'gray'} autoContrast>
              {action.replaceAll('_', ' ')}
            </Badge>
            <Subject entry={entry} />
          </Group>
          <Text size="xs" c="dimmed" className="break-anywhere">
            by {actor}
            {client !== null && `, with application ${client}`}, <UtcTime at={at} exact /> UTC
          </Text>
        </div>
        {!isShort && changes.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={toggle}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : keys} of ${resource} ${id}`}
          >
            {isOpen ? 'Hide' : keys}
          </Button>
        )}
      </Group>
      {isShort && <ShortChanges changes={changes} />}
      {!isShort && <Collapse expanded={isOpen}>{isOpen && <Changes entry={entry} />}</Collapse>}
    </li>
  );
}

/** What was changed: its name, which leads to its page, with its kind and id. */
function Subject({ entry }: { readonly entry: ShownAuditEntry }) {
  const { resource, resource_id: id, name } = entry;
  const href = pageOf(entry);
  const words = `${resource} ${id}`;
  return (
    <Text size="sm" fw={600} className="break-anywhere">
      {href === null ? (
        (name ?? words)
      ) : (
        <Anchor inherit renderRoot={(props) => <Link to={href} {...props} />}>
          {name ?? words}
        </Anchor>
      )}
      {name !== null && (
        <Text span size="sm" c="dimmed" fw={400}>
          {' '}
          {words}
        </Text>
      )}
    </Text>
  );
}

/** Many changes, beside each other. */
function Changes({
  entry: { changes, resource, resource_id: id },
}: {
  readonly entry: ShownAuditEntry;
}) {
  if (changes.length === 0) return null;
  const hasBefore = changes.some(({ before }) => before !== undefined && before !== null);
  return (
    <Table.ScrollContainer minWidth={420} type="native" mb="sm">
      <Table aria-label={`What changed in ${resource} ${id}`} layout="fixed" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Key</Table.Th>
            {hasBefore && <Table.Th>Before</Table.Th>}
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Td className="break-anywhere">{field}</Table.Td>
              {hasBefore && (
                <Table.Td className="break-anywhere">
                  <Value value={before} />
                </Table.Td>
              )}
              <Table.Td className="break-anywhere">
                <Value value={after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Value({ value }: { readonly value: unknown }) {
  const isNothing =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0);
  return (
    <Text size="sm" {...(isNothing ? { c: 'dimmed' } : { ff: 'monospace' })} lineClamp={12}>
      {wordsOf(value)}
    </Text>
  );
}
