import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { AuctionView, NoticeView } from '../../../src/management/auctions/schema.ts';
import { CopyIcon } from '../parts/copyable.tsx';
import { nameOf } from './names.ts';

const STATES: Readonly<
  Record<NoticeView['state'], { readonly words: string; readonly color: string }>
> = {
  delivered: { words: 'delivered', color: 'teal' },
  given_up: { words: 'given up', color: 'red' },
  pending: { words: 'pending', color: 'orange' },
  called_once: { words: 'called once', color: 'gray' },
  held: { words: 'held', color: 'orange' },
  not_due: { words: 'not due', color: 'gray' },
};

/** What happened after the auction: beacons of the ad, and notices to bidders. */
export function Afterwards({ auction }: { readonly auction: AuctionView }) {
  const { beacons, notices, test } = auction;
  return (
    <Stack gap="md">
      <div>
        <Title order={3} mb={4}>
          Beacons
        </Title>
        {beacons.length === 0 ? (
          <Text size="sm">None has come{test ? ' of this test' : ''}.</Text>
        ) : (
          <Stack component="ul" className="plain-list" gap={4}>
            {beacons.map(({ kind, imp, at, sentence }) => (
              <Text component="li" size="sm" key={`${kind} ${imp} ${at}`}>
                <Badge variant="light" color="lagoon" autoContrast tt="none" mr="xs">
                  {kind}
                </Badge>
                {sentence}
              </Text>
            ))}
          </Stack>
        )}
      </div>
      <div>
        <Title order={3} mb={4}>
          Notices
        </Title>
        {notices.length === 0 ? (
          <Text size="sm">
            {test ? 'A test calls no notices.' : 'No bid asked for one that is due.'}
          </Text>
        ) : (
          <NoticeList notices={notices} />
        )}
      </div>
    </Stack>
  );
}

function NoticeList({ notices }: { readonly notices: readonly NoticeView[] }) {
  return (
    <Stack component="ul" className="plain-list" gap="md" aria-label="Notices">
      {notices.map((notice, index) => (
        // Their order is the auction's.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Group gap="xs" mb={2}>
            <Text size="sm" fw={600}>
              {notice.event}
            </Text>
            <Text size="sm" component="bdi" style={{ overflowWrap: 'anywhere' }}>
              {nameOf(notice.demand_partner)}
            </Text>
            <Badge variant="light" color={STATES[notice.state].color} autoContrast tt="none">
              {STATES[notice.state].words}
            </Badge>
          </Group>
          <Text size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {notice.sentence}
          </Text>
          <Group gap={4} wrap="nowrap" align="flex-start">
            <Text size="xs" ff="monospace" c="dimmed" style={{ wordBreak: 'break-all' }}>
              {notice.url}
            </Text>
            <CopyIcon
              value={notice.url}
              what={`the address of the ${notice.event} notice of ${nameOf(notice.demand_partner)}`}
            />
          </Group>
        </li>
      ))}
    </Stack>
  );
}
