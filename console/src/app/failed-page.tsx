import { Button, Code } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../parts/empty-state.tsx';

/** A page that broke: a mistake in the console, or one of its files that could not be loaded. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <EmptyState
      title="This page could not be shown"
      action={<Button onClick={again}>Try again</Button>}
    >
      Nothing was changed. After an update of Rialto, loading the page anew helps.
      <Code block mt="md">
        {error instanceof Error ? error.message : String(error)}
      </Code>
    </EmptyState>
  );
}
