import { Text, Tooltip } from '@mantine/core';
import { formatAgo, formatTime } from './format.ts';
import { useNow } from './use-now.ts';

/** A time, how long ago it was, and when exactly in UTC. */
export function UtcTime({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const nowMs = useNow(exact ? null : 1_000);
  return (
    <Tooltip label={exact ? formatAgo(at, nowMs) : `${formatTime(at)} UTC`}>
      <Text component="time" dateTime={at} inherit span>
        {exact ? formatTime(at) : formatAgo(at, nowMs)}
      </Text>
    </Tooltip>
  );
}
