import { Anchor, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';

/** One thing to do. */
export interface ChecklistStep {
  /** Null where nobody can tell. */
  readonly isDone: boolean | null;
  readonly title: string;
  /** Where it is done, with what its address has behind the path. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Why, or how. */
  readonly help: ReactNode;
}

interface ChecklistProps {
  readonly title: string;
  readonly description?: string;
  readonly steps: readonly ChecklistStep[];
}

const NOTHING = {};

/** What somebody new does first, in its order, each with the page where it is done. */
export function Checklist({ title, description, steps }: ChecklistProps) {
  return (
    <Paper p="lg" maw={760} component="section" aria-label={title}>
      <Title order={2} mb={description === undefined ? 'md' : 4}>
        {title}
      </Title>
      {description !== undefined && (
        <Text c="dimmed" mb="md">
          {description}
        </Text>
      )}
      <Stack gap="md" component="ol" className="plain-list">
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </Stack>
    </Paper>
  );
}

function Step({ isDone, title, to, search = NOTHING, help }: ChecklistStep) {
  const Icon = isDone === true ? Check : Circle;
  return (
    <li style={{ display: 'flex', gap: 12 }}>
      <ThemeIcon
        radius="xl"
        size={26}
        variant={isDone === true ? 'filled' : 'default'}
        color="teal"
        aria-hidden
      >
        <Icon size={15} />
      </ThemeIcon>
      <div>
        <Anchor fw={600} renderRoot={(root) => <Link to={to} search={search} {...root} />}>
          {title}
        </Anchor>
        {isDone !== null && (
          <Text span size="sm" c="dimmed">
            {isDone ? ' – done' : ' – to do'}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      </div>
    </li>
  );
}
