import { Anchor, Button, Group, List, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { ExternalLink, RotateCw } from 'lucide-react';
import { useRef, useState, useEffect, type RefObject } from 'react';
import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';
import { useSession } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Scrolling } from '../../parts/scrolling.tsx';
import { TestBanner } from '../../parts/test-banner.tsx';
import { filledIn } from './frame-message.ts';

/** A look at what is shown in the ad space, by real auctions that count for nothing. */
export function Preview({ adSpace }: { readonly adSpace: ShownAdSpace }) {
  const { exchange_url: exchangeUrl } = useSession().addresses;
  const { id, banner, video, native } = adSpace;
  if (exchangeUrl === null) {
    return (
      <EmptyState title="No preview">
        Control does not know where the exchange can be reached. The operator sets
        RIALTO_EXCHANGE_URL.
      </EmptyState>
    );
  }
  return (
    <>
      <TestBanner>
        Each preview is a real auction with test=1: bidders are asked, nobody pays, and no report
        counts it. Bidders may answer tests with other ads, or not at all.
      </TestBanner>
      <Stack gap="lg">
        {adSpace.status !== 'ACTIVE' && (
          <Text>The ad space is not active: nobody is asked for bids, so nothing is shown.</Text>
        )}
        {banner !== null && (
          <BannerPreview
            key={id}
            id={id}
            sizes={banner.sizes}
            hasBackfill={(adSpace.backfill?.banner ?? null) !== null}
            exchangeUrl={exchangeUrl}
          />
        )}
        {video !== null && (
          <Answer
            title="Video"
            href={`${exchangeUrl}/vast/${id}?test=1&vastver=3`}
            label="Open the VAST answer"
          >
            A player gets VAST, which names the video and whom to tell of it. An answer without an{' '}
            <code>Ad</code> means that nobody bought. To watch it, give this address to your player
            as its ad tag.
          </Answer>
        )}
        {native !== null && (
          <Answer
            title="Native"
            href={`${exchangeUrl}/native/${id}?test=1`}
            label="Open the native answer"
          >
            Your page or app gets the assets as JSON and renders them itself. An empty answer (204)
            means that nobody bought; the browser then stays on an empty page.
          </Answer>
        )}
        <NothingShown />
      </Stack>
    </>
  );
}

interface BannerPreviewProps {
  readonly id: number;
  readonly sizes: readonly string[];
  readonly hasBackfill: boolean;
  readonly exchangeUrl: string;
}

const WORDS: Readonly<Record<FrameState, string>> = {
  loading: 'Asking for an ad…',
  filled: 'Somebody bought. This is the ad.',
  empty: 'Nobody bought, and there is no backfill. Load again, or see below.',
  silent: 'Nothing came. See below.',
};

const OR_BACKFILL = 'Somebody bought and this is the ad, or nobody did and it is the backfill.';

function BannerPreview({ id, sizes, hasBackfill, exchangeUrl }: BannerPreviewProps) {
  const [size, setSize] = useState(sizes[0] ?? '300x250');
  const [round, setRound] = useState(0);
  const [w = 0, h = 0] = size.split('x').map(Number);
  const frame = useRef<HTMLIFrameElement>(null);
  const key = `${size} ${round}`;
  const state = useFrameState(frame, key);
  return (
    <Paper component="section" aria-label="Banner preview" p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Banner</Title>
        <Group gap="sm">
          {sizes.length > 1 && (
            <Select
              aria-label="Size"
              size="xs"
              w={120}
              allowDeselect={false}
              data={[...sizes]}
              value={size}
              onChange={(next) => setSize(next ?? size)}
            />
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={() => setRound(round + 1)}
          >
            Load again
          </Button>
        </Group>
      </Group>
      <Text size="sm" role="status" mb="sm">
        {hasBackfill && state === 'filled' ? OR_BACKFILL : WORDS[state]}
      </Text>
      <Scrolling label={`Ad of ${size}`} minWidth={w}>
        <iframe
          key={key}
          ref={frame}
          title={`Test ad in ad space ${id}`}
          src={`${exchangeUrl}/ad/${id}?test=1&w=${w}&h=${h}`}
          width={w}
          height={h}
          // What the exchange's own policy gives the document as well; never allow-same-origin.
          sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          style={{
            display: 'block',
            border: 0,
            outline: '1px dashed var(--mantine-color-default-border)',
            outlineOffset: -1,
            // Ads are made for white pages.
            background: '#fff',
          }}
        />
      </Scrolling>
    </Paper>
  );
}

interface AnswerProps {
  readonly title: string;
  readonly href: string;
  readonly label: string;
  readonly children: React.ReactNode;
}

function Answer({ title, href, label, children }: AnswerProps) {
  return (
    <Paper component="section" aria-label={`${title} preview`} p="md">
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Text size="sm" mb="sm" maw={760}>
        {children}
      </Text>
      <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
        {label} in a new tab{' '}
        <ExternalLink size={13} aria-hidden style={{ verticalAlign: 'text-bottom' }} />
      </Anchor>
    </Paper>
  );
}

function NothingShown() {
  return (
    <Paper component="section" aria-label="Where nothing is shown" p="md">
      <Title order={2} mb="xs">
        Where nothing is shown
      </Title>
      <List size="sm" spacing={4}>
        <List.Item>Load again: not every auction is won.</List.Item>
        <List.Item>
          Compare the floor with what bidders pay: a lower one, here or in the app’s, site’s and
          publisher’s floors, lets more bids in.
        </List.Item>
        <List.Item>Look at what is blocked: categories and attributes cost bids.</List.Item>
        <List.Item>
          See that the ad space and its app or site are active, and that the size is a usual one.
        </List.Item>
        <List.Item>
          A bidder that takes no tests bids on real requests alone: look at the fill rate of the
          reports.
        </List.Item>
        <List.Item>Set a backfill to show something of your own instead.</List.Item>
      </List>
    </Paper>
  );
}

/** `silent`: nothing came, such as from an app's ad space that nobody bought, or an exchange that is away. */
type FrameState = 'loading' | 'filled' | 'empty' | 'silent';

const SILENCE_MS = 5_000;

/**
 * What has become of a frame that asks the exchange for an ad. Its document says so by `postMessage`.
 *
 * @param key changes with each time that the frame is loaded.
 */
function useFrameState(frame: RefObject<HTMLIFrameElement | null>, key: string): FrameState {
  const [told, setTold] = useState<{ readonly key: string; readonly state: FrameState } | null>(
    null,
  );
  useEffect(() => {
    const tell = (state: FrameState): void => setTold({ key, state });
    const timer = setTimeout(() => tell('silent'), SILENCE_MS);
    const listen = ({ source, data }: MessageEvent<unknown>): void => {
      // A sandboxed frame has an opaque origin: it is known by its window.
      const filled = source === frame.current?.contentWindow ? filledIn(data) : null;
      if (filled === null) return;
      clearTimeout(timer);
      tell(filled ? 'filled' : 'empty');
    };
    window.addEventListener('message', listen);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('message', listen);
    };
  }, [frame, key]);
  return told?.key === key ? told.state : 'loading';
}
