import {
  Alert,
  Button,
  FileButton,
  Group,
  List,
  Paper,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { Download, Upload } from 'lucide-react';
import { useState } from 'react';
import { useChange } from '../../api/use-change.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { formatCount } from '../../parts/format.ts';
import { tell } from '../../parts/notices.tsx';
import type { AppliedAnswer } from '../../../../src/management/configuration/schema.ts';
import { AppliedTable } from './applied-table.tsx';

const PATH = '/api/configuration/';
const YAML = 'application/yaml';
const WORD = 'apply';

/** Applies a configuration file: first it is told what would change, then it may be applied. */
export function ConfigurationFile() {
  const [text, setText] = useState('');
  const [isConfirming, setIsConfirming] = useState(false);
  const check = useChange<AppliedAnswer>();
  const apply = useChange<AppliedAnswer>(({ body }) => {
    setIsConfirming(false);
    check.reset();
    setText('');
    tell(
      `Applied: ${formatCount(body.created)} created, ${formatCount(body.updated)} updated, ${formatCount(body.unchanged)} unchanged.`,
    );
  });
  const type = (next: string): void => {
    setText(next);
    // What was told is of another text.
    check.reset();
  };
  const found = check.data?.body;
  return (
    <Paper p="lg">
      <Group justify="space-between" align="start">
        <Title order={2}>Apply a configuration file</Title>
        <Button
          component="a"
          href={PATH}
          download
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export the configuration
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={2} mb="md" maw={760}>
        YAML or JSON, all of it or nothing. What the file leaves out stays as it is, nothing is
        deleted, and no secret is changed once it is set. Nothing happens before you have seen what
        would change. An export has everything as it is now, without secrets: applied later, it
        takes changes back.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate({
            method: 'PUT',
            path: PATH,
            query: { dry_run: true },
            body: text,
            type: YAML,
          });
        }}
      >
        <Stack gap="md">
          <Textarea
            label="Configuration file"
            required
            autosize
            minRows={8}
            maxRows={24}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={({ currentTarget }) => type(currentTarget.value)}
          />
          <Group>
            <FileButton
              accept=".yaml,.yml,.json"
              onChange={(file) => {
                if (file !== null) void file.text().then(type);
              }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />}>
                  Read a file
                </Button>
              )}
            </FileButton>
            <Button type="submit" loading={check.isPending}>
              Show what would change
            </Button>
          </Group>
        </Stack>
      </form>
      <Stack gap="md" mt="lg" aria-live="polite">
        {check.error !== null && <Refused problem={check.error} />}
        {found !== undefined && <AppliedTable applied={found} />}
        {found !== undefined && found.created + found.updated > 0 && (
          <Group>
            <Button color="red" onClick={() => setIsConfirming(true)}>
              {found.created + found.updated === 1
                ? 'Apply the change'
                : `Apply ${formatCount(found.created + found.updated)} changes`}
            </Button>
          </Group>
        )}
      </Stack>
      {isConfirming && found !== undefined && (
        <Confirm
          title="Apply the configuration file"
          typed={WORD}
          action="Apply the file"
          isPending={apply.isPending}
          problem={apply.error}
          onClose={() => setIsConfirming(false)}
          onConfirm={() => apply.mutate({ method: 'PUT', path: PATH, body: text, type: YAML })}
        >
          {formatCount(found.created)} resources are created and {formatCount(found.updated)} are
          updated, within seconds on all nodes. To take it back, apply a file that says what was
          before.
        </Confirm>
      )}
    </Paper>
  );
}

function Refused({
  problem,
}: {
  readonly problem: {
    readonly message: string;
    readonly problems: readonly { readonly pointer: string; readonly message: string }[];
  };
}) {
  return (
    <Alert color="red" role="alert" title="The file cannot be applied">
      {problem.problems.length === 0 ? (
        problem.message
      ) : (
        <List size="sm" className="break-anywhere">
          {problem.problems.map(({ pointer, message }) => (
            <List.Item key={pointer + message}>
              <code>{pointer === '' ? '/' : pointer}</code> {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
