import type { ApplicationSecret } from '../../../src/management/applications/schema.ts';
import { useSession } from '../api/session.ts';
import { CodeBlock } from '../parts/copyable.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '@mantine/core';
import { tokenCommand } from './commands.ts';

interface ApplicationSecretOnceProps {
  readonly application: ApplicationSecret;
  readonly onClose: () => void;
}

/** The client id and the secret, the one time that it is shown, with what gets a token by them. */
export function ApplicationSecretOnce({ application, onClose }: ApplicationSecretOnceProps) {
  const { addresses } = useSession();
  const { client_id: clientId, client_secret: secret } = application;
  return (
    <ShownOnce
      title="The secret of the application"
      values={[
        { label: 'client_id', value: clientId },
        { label: 'client_secret', value: secret },
      ]}
      onClose={onClose}
    >
      <div>
        <Text size="sm" fw={600} mb={4}>
          Get an access token
        </Text>
        <CodeBlock
          value={tokenCommand(addresses.auth_url, clientId, secret)}
          what="Command that gets an access token"
        />
      </div>
    </ShownOnce>
  );
}
