import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Asked } from '../api/use-ask.ts';
import type { ApiProblem } from '../api/problem.ts';

interface LoadedProps<Body> {
  readonly asked: Asked<Body>;
  /** Its shape while it is on its way. */
  readonly skeleton?: ReactNode;
  readonly children: (
    body: Body,
    answer: {
      readonly total: number | null;
      readonly etag: string | null;
      readonly next: string | null;
    },
  ) => ReactNode;
}

const LINES = <Lines />;

/** What was asked for: its skeleton, why it cannot be had, or what `children` make of it. */
export function Loaded<Body>({ asked, skeleton = LINES, children }: LoadedProps<Body>) {
  if (asked.data !== undefined) {
    return (
      <div
        aria-busy={asked.isPlaceholderData}
        style={{ opacity: asked.isPlaceholderData ? 0.6 : 1 }}
      >
        {children(asked.data.body, asked.data)}
      </div>
    );
  }
  if (asked.error !== null && !asked.isFetching) {
    return <Failure problem={asked.error} onRetry={() => void asked.refetch()} />;
  }
  return (
    <div aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  );
}

/** Why something cannot be shown, with what can be done about it. */
export function Failure({
  problem,
  onRetry,
}: {
  readonly problem: ApiProblem;
  readonly onRetry?: () => void;
}) {
  return (
    <Alert
      color="red"
      role="alert"
      title={problem.status === 404 ? 'Not found' : 'This could not be loaded'}
    >
      <Stack gap="xs">
        <Text size="sm">{problem.message}</Text>
        {problem.problems.map(({ pointer, message }) => (
          <Text size="sm" key={pointer + message}>
            <code>{pointer}</code> {message}
          </Text>
        ))}
        {onRetry !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** A few lines of text. */
export function Lines({ count = 4 }: { readonly count?: number }) {
  return (
    <Stack gap="sm">
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} height={18} width={line % 3 === 2 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}

/** A table of so many rows. */
export function TableSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <Stack gap={6}>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <Skeleton key={row} height={row === 0 ? 24 : 36} />
      ))}
    </Stack>
  );
}
