import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiProblem } from '../api/problem.ts';
import { useSigning } from '../api/session.ts';

interface SignInFormProps {
  /** Who was signed in before, where the session has ended. */
  readonly email?: string;
  readonly onSignedIn: () => void | Promise<void>;
}

/** E-mail and password; says why they were refused. */
export function SignInForm({ email: known = '', onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const { signIn } = useSigning();
  const signing = useMutation<void, ApiProblem>({
    mutationFn: () => signIn(email, password),
    onSuccess: () => onSignedIn(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signing.mutate();
      }}
    >
      <Stack gap="md">
        {signing.error !== null && (
          <Alert color="red" role="alert">
            {signing.error.message}
            {signing.error.retryAfterSeconds !== null &&
              ` Try again in ${signing.error.retryAfterSeconds} s.`}
          </Alert>
        )}
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          data-autofocus={known === '' || undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          data-autofocus={known !== '' || undefined}
        />
        <Button type="submit" loading={signing.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
