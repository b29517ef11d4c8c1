import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from './page-title.ts';
import { useCrumbs } from './use-place.ts';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence: what the page is for. */
  readonly description?: ReactNode;
  /** Beside the title: a status, an id. */
  readonly beside?: ReactNode;
  /** What can be done here; the most usual one last. */
  readonly actions?: ReactNode;
  /** The pages above this one. */
  readonly above?: readonly { readonly label: string; readonly href: string }[];
}

const NOTHING_ABOVE: NonNullable<PageHeaderProps['above']> = [];

/** The head of every page; its title is the tab's as well. */
export function PageHeader({
  title,
  description,
  beside,
  actions,
  above = NOTHING_ABOVE,
}: PageHeaderProps) {
  usePageTitle(title);
  const crumbs = useCrumbs(above);
  return (
    <Stack gap={4} mb="lg">
      {crumbs.length > 0 && (
        <Breadcrumbs fz="sm" style={{ flexWrap: 'wrap' }}>
          {crumbs.map(({ label, href }) => (
            <Anchor key={href} size="sm" renderRoot={(props) => <Link to={href} {...props} />}>
              {label}
            </Anchor>
          ))}
          <Text size="sm" c="dimmed" className="title-text">
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} flex="1 1 300px" miw={0} maw={760}>
          <Group gap="sm">
            <Title order={1} className="title-text">
              {title}
            </Title>
            {beside}
          </Group>
          {description !== undefined && <Text c="dimmed">{description}</Text>}
        </Stack>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
    </Stack>
  );
}
