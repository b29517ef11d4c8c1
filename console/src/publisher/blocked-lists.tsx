import { Badge, Group, Stack, Text } from '@mantine/core';
import { CREATIVE_ATTRIBUTES } from '../../../src/openrtb/creative-lists.ts';
import type { Blocking } from '../parts/forms/blocking-fields.tsx';
import { categoryLabel, listLabel } from '../parts/forms/codes.ts';

const SHOWN_MAX = 100;

/** What is blocked elsewhere, to look at. */
export function BlockedLists({ value }: { readonly value: Blocking }) {
  const lists = [
    { label: 'Categories', texts: value.blocked_categories.map((code) => categoryLabel(code)) },
    { label: 'Advertisers', texts: value.blocked_advertisers },
    { label: 'Apps', texts: value.blocked_apps },
    {
      label: 'Creative attributes',
      texts: value.blocked_attributes.map((each) => listLabel(CREATIVE_ATTRIBUTES, each)),
    },
  ].filter(({ texts }) => texts.length > 0);
  if (lists.length === 0) return <Text size="sm">Nothing.</Text>;
  return (
    <Stack gap="xs">
      {lists.map(({ label, texts }) => (
        <Group key={label} gap={6}>
          <Text size="sm" fw={500}>
            {label}:
          </Text>
          {texts
            .toSorted()
            .slice(0, SHOWN_MAX)
            .map((text) => (
              <Badge key={text} variant="default" tt="none">
                {text}
              </Badge>
            ))}
          {texts.length > SHOWN_MAX && (
            <Text size="sm" c="dimmed">
              and {texts.length - SHOWN_MAX} more
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  );
}
