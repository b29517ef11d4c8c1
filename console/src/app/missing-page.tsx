import { Button, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** An address that leads nowhere. */
export function MissingPage() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <Paper>
        <EmptyState
          title="Nothing of yours is here"
          action={
            <Button component={Link} to="/">
              Go to the start
            </Button>
          }
        >
          The address may be mistyped, or what it names belongs to somebody else.
        </EmptyState>
      </Paper>
    </>
  );
}
