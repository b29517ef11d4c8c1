import { Alert, Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { FieldProblems } from '../parts/forms/field-problems.ts';
import { FormProblem } from '../parts/forms/form-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { SecondFactor } from './second-factor.tsx';

const PATH = '/v2/auth/session/password/';

/** Where users change what they sign in with. */
export function AccountPage() {
  const { user } = useSession();
  return (
    <>
      <PageHeader
        title="Account"
        description={`What ${user.email} signs in with. A change of it ends all your other sessions, and this one stays; access tokens of applications are not touched.`}
      />
      <Stack gap="lg">
        <SecondFactor />
        <Paper p="md" maw={480} component="section" aria-labelledby="password">
          <Title order={2} id="password" mb="md">
            Password
          </Title>
          <PasswordForm email={user.email} />
        </Paper>
      </Stack>
    </>
  );
}

function PasswordForm({ email }: { readonly email: string }) {
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [isTried, setTried] = useState(false);
  const changing = useChange(() => {
    setPresent('');
    setNext('');
    setAgain('');
    setTried(false);
  });
  const problems = new FieldProblems(changing.error);
  const presentProblem = problems.at('/password');
  const nextProblem = problems.at('/new_password');
  return (
    <form
      aria-label="Change the password"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (next !== again) return;
        changing.mutate({
          method: 'POST',
          path: PATH,
          body: { password: present, new_password: next },
        });
      }}
    >
      <Stack gap="md">
        {changing.isSuccess && present === '' && next === '' && (
          <Alert color="teal" role="status" title="The password is changed">
            Your other sessions have ended. Sign in with the new one from now on.
          </Alert>
        )}
        {/* Keepers of passwords find out by it whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          value={present}
          error={presentProblem}
          onChange={({ currentTarget }) => setPresent(currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          value={next}
          error={nextProblem}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          required
          value={again}
          error={isTried && next !== again ? 'is not the same as the new password' : undefined}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        <FormProblem messages={problems.rest()} />
        <Group justify="flex-end">
          <Button type="submit" loading={changing.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
