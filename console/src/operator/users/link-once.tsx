import { Text } from '@mantine/core';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { MadeLink } from '../../../../src/management/users/schema.ts';
import { ShownOnce } from '../../parts/shown-once.tsx';

/** A one-time link that was just made. */
export interface LinkFor {
  readonly email: string;
  readonly link: MadeLink;
  readonly purpose: 'invitation' | 'password' | 'second factor';
}

const TITLES = {
  invitation: 'Invitation',
  password: 'Password link',
  'second factor': 'Link to remove the second factor',
} as const;

interface LinkOnceProps {
  readonly link: LinkFor;
  readonly onClose: () => void;
}

/** Shows a one-time link, this once, and until when it holds. */
export function LinkOnce({ link: { email, link, purpose }, onClose }: LinkOnceProps) {
  return (
    <ShownOnce
      title={`${TITLES[purpose]} for ${email}`}
      values={[{ label: 'One-time link', value: link.url, what: 'the one-time link' }]}
      onClose={onClose}
    >
      <Text size="sm">
        Send it to {email}, who{' '}
        {purpose === 'second factor' ? 'removes their second factor' : 'chooses a password'} there.
        It works once, and until <UtcTime at={link.expires_at} exact /> UTC.
        {purpose === 'password' && ' Until then the present password stays.'}
        {purpose === 'second factor' && ' The password is not touched.'}
      </Text>
    </ShownOnce>
  );
}
