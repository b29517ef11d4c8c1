import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { CodeInput } from '../app/code-input.tsx';
import { CodeBlock } from '../parts/copyable.tsx';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { QrCode } from './qr-code.tsx';

const PATH = '/v2/auth/session/second-factor/';

/** Control's answer to whoever asks for a second factor, shown this once. */
interface Offered {
  readonly secret: string;
  readonly uri: string;
}

/** Where users set up, and remove, what they show beside the password. */
export function SecondFactor() {
  const { is_set_up: isSetUp } = useSession().second_factor;
  const [offered, setOffered] = useState<Offered | null>(null);
  return (
    <Paper p="md" maw={480} component="section" aria-labelledby="second-factor">
      <Stack gap="md">
        <Title order={2} id="second-factor">
          Second factor
        </Title>
        {isSetUp ? (
          <RemoveForm />
        ) : offered === null ? (
          <AskForm onOffered={setOffered} />
        ) : (
          <ConfirmForm offered={offered} onDone={() => setOffered(null)} />
        )}
      </Stack>
    </Paper>
  );
}

function AskForm({ onOffered }: { readonly onOffered: (offered: Offered) => void }) {
  const { email } = useSession().user;
  const [password, setPassword] = useState('');
  const asking = useChange<Offered>(({ body }) => onOffered(body));
  const problems = new FieldProblems(asking.error);
  const problem = problems.at('/password');
  return (
    <form
      aria-label="Set up a second factor"
      onSubmit={(event) => {
        event.preventDefault();
        asking.mutate({ method: 'POST', path: PATH, body: { password } });
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          With one you sign in with your password and a code of an authenticator app on your phone,
          so that nobody gets in who has learned the password.
        </Text>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          error={problem}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <FormProblem messages={problems.rest()} />
        <Group justify="flex-end">
          <Button type="submit" loading={asking.isPending}>
            Set up a second factor
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ConfirmForm({
  offered: { secret, uri },
  onDone,
}: {
  readonly offered: Offered;
  readonly onDone: () => void;
}) {
  return (
    <Stack gap="md">
      <Text size="sm">
        Scan this with an authenticator app, or type the secret there. It is not shown again.
      </Text>
      <QrCode text={uri} label="QR code of the second factor" />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Secret
        </Text>
        <CodeBlock value={secret} what="the secret of the second factor" />
      </div>
      <CodeForm
        action="confirm"
        label="Turn on the second factor"
        why="The code that the app shows now"
        onDone={onDone}
      />
    </Stack>
  );
}

function RemoveForm() {
  return (
    <Stack gap="md">
      <Alert color="teal" title="Your second factor is on">
        You sign in with your password and a code of your authenticator app. To use another app or
        phone, remove it and set it up again.
      </Alert>
      <CodeForm
        action="remove"
        label="Remove the second factor"
        why="The code that the app shows now"
      />
    </Stack>
  );
}

interface CodeFormProps {
  readonly action: 'confirm' | 'remove';
  readonly label: string;
  readonly why: string;
  readonly onDone?: () => void;
}

function CodeForm({ action, label, why, onDone }: CodeFormProps) {
  const [code, setCode] = useState('');
  const changing = useChange(onDone);
  const problems = new FieldProblems(changing.error);
  const problem = problems.at('/code');
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        changing.mutate({ method: 'POST', path: `${PATH}${action}/`, body: { code } });
      }}
    >
      <Stack gap="md">
        <CodeInput label={why} value={code} error={problem} onChange={setCode} />
        <FormProblem messages={problems.rest()} />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={changing.isPending}
            {...(action === 'remove' && { variant: 'default' })}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
