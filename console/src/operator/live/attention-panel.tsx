import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useAsk } from '../../api/use-ask.ts';
import { formatCount } from '../../parts/format.ts';
import { Failure } from '../../parts/loaded.tsx';
import { needsOf, type Need } from './needs.ts';

interface AttentionPanelProps {
  readonly refresh: { readonly everyMs?: number };
}

/** What needs somebody, the most urgent first; and that nothing does, where it is so. */
export function AttentionPanel({ refresh }: AttentionPanelProps) {
  const status = useAsk('/api/status/', {}, refresh);
  const health = useAsk('/api/demand-partners/health/', {}, refresh);
  const pending = useAsk('/api/creatives/', { pending: true, limit: 1 }, refresh);
  if (status.data === undefined && status.error !== null && !status.isFetching) {
    return <Failure problem={status.error} onRetry={() => void status.refetch()} />;
  }
  if (status.data === undefined) {
    return <Skeleton height={56} aria-busy="true" aria-label="Loading" />;
  }
  const needs = needsOf({
    attention: status.data.body.attention,
    health: health.data?.body ?? [],
    pendingCreatives: pending.data?.total ?? 0,
  });
  if (needs.length === 0) {
    return (
      <Alert color="teal" role="status" icon={<CircleCheck size={18} aria-hidden />}>
        Nothing needs you now.
      </Alert>
    );
  }
  return (
    <Alert
      color={needs.some(({ isUrgent }) => isUrgent) ? 'red' : 'orange'}
      role="region"
      aria-label="What needs you"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={
        needs.length === 1 ? '1 thing needs you' : `${formatCount(needs.length)} things need you`
      }
    >
      <Stack component="ul" gap="sm" className="plain-list">
        {needs.map((need) => (
          <NeedLine key={need.key} need={need} />
        ))}
      </Stack>
    </Alert>
  );
}

function NeedLine({ need: { message, action, href, link } }: { readonly need: Need }) {
  return (
    <li>
      <Text size="sm" fw={600} className="break-anywhere">
        {message}
      </Text>
      <Text size="sm" className="break-anywhere">
        {action}{' '}
        <Anchor
          size="sm"
          underline="always"
          c="inherit"
          renderRoot={(props) => <Link to={href} {...props} />}
        >
          {link}
        </Anchor>
      </Text>
    </li>
  );
}
