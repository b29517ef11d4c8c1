import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { usePageTitle } from '../parts/page-title.ts';
import { homeOf } from './home.ts';
import { Logo } from './logo.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Where whoever is not signed in comes to; afterwards they are where they wanted to be. */
export function SignInPage() {
  usePageTitle('Sign in');
  const { return_to: to } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { refetch } = useQuery(sessionQuery);
  const goOn = async (): Promise<void> => {
    const { data: session } = await refetch();
    if (session === null || session === undefined) return;
    // An address of another site would be a way to lead people astray.
    const isOurs =
      to !== undefined && to.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\');
    await navigate({ href: isOurs ? to : homeOf(session), replace: true });
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Logo size={36} />
        <Paper p="xl" shadow="sm">
          <Stack gap="md">
            <Title order={1}>Sign in</Title>
            <SignInForm onSignedIn={goOn} />
          </Stack>
        </Paper>
        <Text size="sm" c="dimmed">
          No account, no password any more, or the authenticator app lost? The operator of this
          exchange makes a one-time link for you: with <code>rialto</code>, the API, or under Users.
        </Text>
      </Stack>
    </Center>
  );
}
