import {
  Badge,
  Button,
  Group,
  Paper,
  Table,
  Text,
  Title,
  VisuallyHidden,
  Modal,
  Radio,
  Stack,
} from '@mantine/core';
import { useState } from 'react';
import type { MadeToken, ShownToken } from '../../../src/management/applications/schema.ts';
import { useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { useChange } from '../api/use-change.ts';
import { CodeBlock } from '../parts/copyable.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { tell } from '../parts/notices.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useNow } from '../parts/use-now.ts';
import { UtcTime } from '../parts/utc-time.tsx';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { firstCallCommand } from './commands.ts';
import { timeLeft } from './time-left.ts';

interface TokenPanelProps {
  /** Of the application: `/api/applications/app-1/`. */
  readonly path: `/api/applications/${string}/`;
  /** The operator sees and revokes others' tokens, and makes none. */
  readonly isOwn: boolean;
}

const EVERY_MS = 10_000;

/** The access tokens in use: generated and revoked here. */
export function TokenPanel({ path, isOwn }: TokenPanelProps) {
  const { addresses } = useSession();
  const tokensPath = `${path}tokens/` as const;
  const asked = useAsk(tokensPath, {}, { everyMs: EVERY_MS });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const [going, setGoing] = useState<ShownToken | null>(null);
  const revoking = useChange(() => {
    setGoing(null);
    tell('The token is revoked.');
  });
  return (
    <Paper p="md" component="section" aria-label="Access tokens">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Access tokens in use</Title>
        {isOwn && (
          <Button variant="default" size="xs" onClick={() => setMaking(true)}>
            Generate a token
          </Button>
        )}
      </Group>
      <Loaded asked={asked} skeleton={<TableSkeleton rows={3} />}>
        {(tokens) => <TokenTable tokens={tokens} onRevoke={setGoing} />}
      </Loaded>
      {isMaking && (
        <GenerateForm
          path={tokensPath}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made !== null && (
        <ShownOnce
          title="The access token"
          values={[{ label: 'access_token', value: made.access_token }]}
          onClose={() => setMade(null)}
        >
          <div>
            <Text size="sm" fw={600} mb={4}>
              Try it
            </Text>
            <CodeBlock
              value={firstCallCommand(addresses.base_url, made.access_token)}
              what="First call with the token"
            />
          </div>
        </ShownOnce>
      )}
      {going !== null && (
        <Confirm
          title="Revoke the access token"
          typed={going.prefix}
          action="Revoke the token"
          isPending={revoking.isPending}
          problem={revoking.error}
          onConfirm={() =>
            revoking.mutate({
              method: 'DELETE',
              path: `${tokensPath}${encodeURIComponent(going.id)}/`,
            })
          }
          onClose={() => {
            revoking.reset();
            setGoing(null);
          }}
        >
          It ends at once. The program that uses it is refused until it gets another.
        </Confirm>
      )}
    </Paper>
  );
}

interface TokenTableProps {
  readonly tokens: readonly ShownToken[];
  readonly onRevoke: (token: ShownToken) => void;
}

function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const nowMs = useNow(1_000);
  const live = tokens.filter(({ expires_at }) => Date.parse(expires_at) > nowMs);
  if (live.length === 0) {
    return (
      <EmptyState title="No token is in use">
        A program gets one with the secret, by the command below. Each is good for an hour.
      </EmptyState>
    );
  }
  return (
    <Table.ScrollContainer minWidth={680} type="native">
      <Table aria-label="Access tokens in use" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Begins with</Table.Th>
            <Table.Th>Scope</Table.Th>
            <Table.Th>Made</Table.Th>
            <Table.Th>Last use</Table.Th>
            <Table.Th className="numeric">Ends in</Table.Th>
            <Table.Th pos="relative">
              <VisuallyHidden>Revoke</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {live.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                <code>{token.prefix}…</code>
              </Table.Td>
              <Table.Td>
                <Badge
                  variant="light"
                  color={token.scope === 'read' ? 'gray' : 'orange'}
                  autoContrast
                  tt="none"
                >
                  {token.scope}
                </Badge>
              </Table.Td>
              <Table.Td>
                <UtcTime at={token.created_at} />
              </Table.Td>
              <Table.Td>
                {token.last_used_at === null ? 'never' : <UtcTime at={token.last_used_at} />}
              </Table.Td>
              <Table.Td className="numeric">{timeLeft(token.expires_at, nowMs)}</Table.Td>
              <Table.Td ta="end">
                <Button
                  variant="subtle"
                  size="compact-sm"
                  c="var(--mantine-color-error)"
                  aria-label={`Revoke the token ${token.prefix}`}
                  onClick={() => onRevoke(token)}
                >
                  Revoke
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface GenerateFormProps {
  readonly path: string;
  readonly onMade: (token: MadeToken) => void;
  readonly onClose: () => void;
}

/** Asks what a token is for, and makes it. */
function GenerateForm({ path, onMade, onClose }: GenerateFormProps) {
  const [scope, setScope] = useState('read');
  const making = useChange<MadeToken>(({ body }) => onMade(body));
  const problems = new FieldProblems(making.error);
  return (
    <Modal opened onClose={onClose} title="Generate an access token" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate({ method: 'POST', path, body: { scope } });
        }}
      >
        <Stack gap="md">
          <Text size="sm">It is shown once and good for an hour, for what you may do at most.</Text>
          <Radio.Group
            label="Scope"
            value={scope}
            error={problems.at('/scope')}
            onChange={setScope}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="read" label="read" description="Read only" />
              <Radio value="write" label="read write" description="Can change things too" />
            </Stack>
          </Radio.Group>
          <FormProblem messages={problems.rest()} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={making.isPending}>
              Generate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
