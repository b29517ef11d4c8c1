import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

const TICK_MS = 10_000;

/** The time in UTC, by which all days are counted. */
export function UtcClock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Tooltip label="All days and times are UTC">
      <Text size="sm" c="dimmed" visibleFrom="xs" className="numeric">
        {now.toISOString().slice(11, 16)} UTC
      </Text>
    </Tooltip>
  );
}
