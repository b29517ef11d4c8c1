import { Button, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Id } from '../../parts/copyable.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { Status } from '../../parts/status/statuses.ts';
import { StatusMenu } from '../../parts/status/status-menu.tsx';
import { usePublisher } from '../use-publisher.ts';

interface PropertyHeaderProps {
  readonly type: 'app' | 'site';
  /** In the API. */
  readonly path: string;
  readonly property:
    | { readonly id: number; readonly name: string; readonly status: Status }
    | undefined;
}

/** The head of an app's or a site's page. */
export function PropertyHeader({ type, path, property }: PropertyHeaderProps) {
  const { root } = usePublisher();
  const above = [{ label: 'Apps and sites', href: `${root}/properties` }];
  if (property === undefined) {
    return <PageHeader title={type === 'app' ? 'App' : 'Site'} above={above} />;
  }
  const { id, name, status } = property;
  return (
    <PageHeader
      title={name}
      above={above}
      beside={
        <>
          <StatusBadge status={status} />
          <Id value={id} what={`the ${type}’s id`} />
          <StatusMenu path={path} name={name} status={status} />
        </>
      }
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => <Link to={`${root}/ad-spaces`} search={{ in: id }} {...props} />}
          >
            Its ad spaces
          </Button>
          <Button
            renderRoot={(props) => (
              <Link to={`${root}/ad-spaces/new`} search={{ in: id }} {...props} />
            )}
          >
            Add an ad space
          </Button>
        </>
      }
    />
  );
}

/** The shape of the form. */
export function PropertySkeleton() {
  return (
    <Stack gap="lg">
      {[220, 180, 160, 420].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  );
}
