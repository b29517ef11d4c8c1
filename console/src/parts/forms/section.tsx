import { Group, MantineThemeProvider, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Beside the title: a switch. */
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a form, or of a page. */
export function Section({ title, description, beside, children }: SectionProps) {
  return (
    <Paper component="section" aria-label={title} p={{ base: 'md', sm: 'lg' }}>
      <Stack gap="md">
        <div>
          <Group justify="space-between" gap="sm">
            <Title order={2}>{title}</Title>
            {beside}
          </Group>
          {description !== undefined && (
            <Text size="sm" c="dimmed" maw={760} component="div">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

/** What explains a field stands below it, so that fields beside each other are on one line. */
const FIELDS = {
  components: {
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
  },
};

/** Fields beside each other where there is room. */
export function FieldGrid({ children }: { readonly children: ReactNode }) {
  return (
    <MantineThemeProvider theme={FIELDS}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing="md">
        {children}
      </SimpleGrid>
    </MantineThemeProvider>
  );
}
