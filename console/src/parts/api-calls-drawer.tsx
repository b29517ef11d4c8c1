import { Anchor, Drawer, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { curlOf } from '../api/curl.ts';
import { useSession } from '../api/session.ts';
import { useShownCalls } from '../api/shown-calls.ts';
import { CodeBlock } from './copyable.tsx';

interface ApiCallsDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The API calls that what is on the screen was made of, ready for a shell. */
export function ApiCallsDrawer({ isOpen, onClose }: ApiCallsDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title="The API calls of this page"
    >
      <Calls />
    </Drawer>
  );
}

function Calls() {
  const calls = useShownCalls();
  const { addresses } = useSession();
  return (
    <Stack gap="lg">
      <Text size="sm">
        Everything that is shown here can be had from the management API. The commands read an
        access token from <code>$TOKEN</code>; make one under{' '}
        <Anchor component={Link} to="/v2/auth/applications/" inherit>
          Applications
        </Anchor>
        , and see the{' '}
        <Anchor href="/reference/" inherit>
          reference
        </Anchor>{' '}
        for what they answer.
      </Text>
      {calls.length === 0 && <Text size="sm">This page asks the API for nothing.</Text>}
      {calls.map((call) => {
        const command = curlOf(call, addresses.auth_url);
        return <CodeBlock key={command} value={command} what={`${call.method} ${call.path}`} />;
      })}
    </Stack>
  );
}
