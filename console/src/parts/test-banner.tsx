import { Alert } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';

/** Where something is a test: nothing of it is billed, counted or reported. */
export function TestBanner({ children }: { readonly children: ReactNode }) {
  return (
    <Alert
      role="status"
      color="yellow"
      icon={<FlaskConical size={18} aria-hidden />}
      title="This is a test"
      // Yellow on yellow is too faint to read.
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      mb="md"
    >
      {children}
    </Alert>
  );
}
