import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiProblem } from '../api/problem.ts';
import { useSigning } from '../api/session.ts';
import { CodeInput } from './code-input.tsx';

interface SignInFormProps {
  /** Who was signed in before, where the session has ended. */
  readonly email?: string;
  readonly onSignedIn: () => void | Promise<void>;
}

/** E-mail and password, and a code of who has a second factor; says why they were refused. */
export function SignInForm({ email: known = '', onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { signIn } = useSigning();
  const signing = useMutation<void, ApiProblem>({
    mutationFn: () => signIn({ email, password, ...(needsCode && { code }) }),
    onError: ({ code: why }) => {
      if (why !== 'code_required' && why !== 'code_refused') return;
      setNeedsCode(true);
      setCode('');
    },
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
        {signing.error !== null && signing.error.code !== 'code_required' && (
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
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setNeedsCode(false);
          }}
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
        {needsCode && (
          <CodeInput
            label="Code of your authenticator app"
            isFirst
            value={code}
            onChange={setCode}
          />
        )}
        <Button type="submit" loading={signing.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
