import { Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Asks whoever's session has ended to sign in again, over the page that they are on, so that what
 * they have typed there is still there.
 */
export function SessionEnded({ email }: { readonly email: string }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      centered
    >
      <Stack gap="md">
        <Text size="sm">Sign in again to go on where you are. Nothing on the page is lost.</Text>
        <SignInForm email={email} onSignedIn={() => {}} />
      </Stack>
    </Modal>
  );
}
