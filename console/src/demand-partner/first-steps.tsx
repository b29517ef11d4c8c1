import { Anchor, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { pagesOf } from './partner.ts';

interface FirstStepsProps {
  readonly partnerId: string;
  readonly hasBidder: boolean;
  readonly lineItems: readonly ShownLineItem[];
}

/** What a demand partner without any traffic does to get some. */
export function FirstSteps({ partnerId, hasBidder, lineItems }: FirstStepsProps) {
  const pages = pagesOf(partnerId);
  const isActive = lineItems.some(({ status }) => status === 'ACTIVE');
  return (
    <Paper p="xl" maw={760}>
      <Title order={2}>Start buying</Title>
      <Text c="dimmed" mb="md">
        No bid request has matched in the past two weeks. These steps bring the first one.
      </Text>
      <Stack gap="lg" component="ol" className="plain-list">
        <Step isDone={hasBidder} title="Set the bidder" href={`${pages}/bidder`}>
          The address that the exchange asks for bids, its time limit and the version of OpenRTB.
        </Step>
        <Step isDone={null} title="Send a test request" href={`${pages}/bidder`}>
          See what your bidder is sent, what it answers, and what is wrong with the answer. Nothing
          of it is billed or counted.
        </Step>
        <Step isDone={isActive} title="Activate a line item" href={`${pages}/line-items`}>
          It says which traffic you take. One without targeting takes all of it.
        </Step>
        <Step isDone={null} title="See what your targeting meets" href={`${pages}/discovery`}>
          How many ad requests of the past seven days a line item would have matched. If there are
          none, widen its targeting.
        </Step>
      </Stack>
    </Paper>
  );
}

interface StepProps {
  /** Null where nobody can tell. */
  readonly isDone: boolean | null;
  readonly title: string;
  readonly href: string;
  readonly children: ReactNode;
}

function Step({ isDone, title, href, children }: StepProps) {
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
        <Anchor fw={600} renderRoot={(root) => <Link to={href} {...root} />}>
          {title}
        </Anchor>
        {isDone !== null && (
          <Text span size="sm" c="dimmed">
            {isDone ? ' – done' : ' – to do'}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
    </li>
  );
}
