import { Badge } from '@mantine/core';

/** What became of a call, in words and colours that are the same wherever it is shown. */
interface OutcomeLook {
  readonly words: string;
  readonly color: string;
}

const LOOKS: Readonly<Record<string, OutcomeLook>> = {
  bid: { words: 'bid', color: 'teal' },
  no_bid: { words: 'no bid', color: 'gray' },
  timeout: { words: 'timeout', color: 'orange' },
  error: { words: 'error', color: 'red' },
  throttled: { words: 'not sent', color: 'grape' },
};

/** How an outcome looks. */
export function lookOf(outcome: string): OutcomeLook {
  return LOOKS[outcome] ?? { words: outcome.replaceAll('_', ' '), color: 'gray' };
}

const ORDER = Object.keys(LOOKS);

/** In the order in which outcomes are told everywhere: answers first, then what went wrong. */
export function byOutcome(
  one: { readonly outcome: string },
  other: { readonly outcome: string },
): number {
  return ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome);
}

/** An outcome in words and colour. */
export function OutcomeBadge({
  outcome,
  note,
}: {
  readonly outcome: string;
  readonly note?: string;
}) {
  const { words, color } = lookOf(outcome);
  return (
    <Badge
      variant="light"
      color={color}
      autoContrast
      tt="none"
      radius="md"
      h="auto"
      mih={20}
      styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
    >
      {note === undefined || note === '' ? words : `${words}: ${note}`}
    </Badge>
  );
}

/** Won, or lost, in words and colour. */
export function WonBadge({ won }: { readonly won: boolean }) {
  return (
    <Badge variant="light" color={won ? 'teal' : 'gray'} autoContrast tt="none">
      {won ? 'won' : 'lost'}
    </Badge>
  );
}
