import { Button, Group, Text } from '@mantine/core';
import { formatCount } from './format.ts';

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly size: number;
  /** How many are on this page. */
  readonly shown: number;
  readonly total: number | null;
  /** Where the list goes on; null at its end. */
  readonly next: string | null;
  readonly onPage: (page: number) => void;
}

/** Goes through a list page by page. Nothing where all of it is on one. */
export function Pager({ page, size, shown, total, next, onPage }: PagerProps) {
  if (page === 0 && next === null) return null;
  const first = page * size + 1;
  const of = total === null ? '' : ` of ${formatCount(total)}`;
  return (
    <Group justify="flex-end" mt="md" component="nav" aria-label="Pages of the list">
      <Text size="sm" c="dimmed" className="numeric">
        {shown === 0 ? `none${of}` : `${formatCount(first)}–${formatCount(first + shown - 1)}${of}`}
      </Text>
      <Button size="xs" variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="xs" variant="default" disabled={next === null} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Group>
  );
}
