import { Anchor, List, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import type { ShownApp, ShownSite } from '../../../src/management/properties/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';
import type { Report } from './report.ts';
import { usePublisher } from './use-publisher.ts';

interface StartChecklistProps {
  readonly report: Asked<Report>;
  readonly adSpaces: Asked<readonly ShownAdSpace[]>;
}

/** What a new publisher does first; gone once its first requests are in. */
export function StartChecklist({ report, adSpaces }: StartChecklistProps) {
  const { root, api } = usePublisher();
  const apps = useAsk<readonly ShownApp[]>(`${api}/apps/`, { limit: 1 });
  const sites = useAsk<readonly ShownSite[]>(`${api}/sites/`, { limit: 1 });
  if (report.data === undefined || adSpaces.data === undefined) return null;
  const hasRequests = report.data.body.data.some(({ requests = 0 }) => requests > 0);
  if (hasRequests || apps.data === undefined || sites.data === undefined) return null;
  const hasProperty = apps.data.body.length + sites.data.body.length > 0;
  const [space] = adSpaces.data.body;
  const tags = space === undefined ? `${root}/ad-spaces` : `${root}/ad-spaces/${space.id}`;
  return (
    <Paper p="md" component="section" aria-label="First steps">
      <Title order={2} mb="sm">
        First steps
      </Title>
      <List spacing="sm" type="ordered" listStyleType="none" center>
        <Step isDone={hasProperty} to={`${root}/properties`} label="Add an app or a site">
          so that bidders know where ads will be.
        </Step>
        <Step isDone={space !== undefined} to={`${root}/ad-spaces/new`} label="Add an ad space">
          with its format, size and floor.
        </Step>
        <Step isDone={false} to={tags} search={{ tab: 'tags' }} label="Copy its tag">
          into the page or app. The first request shows up here within a minute or so.
        </Step>
        <Step isDone={false} to={`${root}/ads-txt`} label="Add the lines to ads.txt">
          Many buyers do not bid on a seller that is not in it.
        </Step>
      </List>
    </Paper>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly label: string;
  readonly children: ReactNode;
}

const NOTHING = {};

function Step({ isDone, to, search = NOTHING, label, children }: StepProps) {
  return (
    <List.Item
      icon={
        <ThemeIcon
          size={22}
          radius="xl"
          variant={isDone ? 'filled' : 'light'}
          color={isDone ? 'teal' : 'gray'}
          aria-label={isDone ? 'Done' : 'To do'}
          role="img"
        >
          {isDone ? <Check size={14} aria-hidden /> : <Circle size={10} aria-hidden />}
        </ThemeIcon>
      }
    >
      <Anchor inherit renderRoot={(props) => <Link to={to} search={search} {...props} />}>
        {label}
      </Anchor>{' '}
      <Text span c="dimmed">
        {children}
      </Text>
    </List.Item>
  );
}
