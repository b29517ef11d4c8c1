import { Anchor, Box, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { Funnel, FunnelStep } from '../../../src/management/funnel/schema.ts';
import { CodedText } from '../parts/coded-text.tsx';
import { addDays, today } from '../parts/days.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatCount, formatPart } from '../parts/format.ts';
import { auctionSearchOf, layersOf, type FunnelLayer } from './funnel-layers.ts';
import { pagesOf } from './partner.ts';

/** Auctions are kept for so many days with today. */
const AUCTION_DAYS = 13;
const DROPS_AT_FIRST = 3;

interface FunnelViewProps {
  readonly partnerId: string;
  readonly funnel: Funnel;
}

/** How far bid requests and bids came, as bars, with what was lost between them and why. */
export function FunnelView({ partnerId, funnel }: FunnelViewProps) {
  const layers = layersOf(funnel);
  if (layers.every(({ step }) => step.count === 0)) {
    return (
      <EmptyState title="No bid request matched on this day">
        Look at another day, or see in Inventory discovery what your targeting would meet.
      </EmptyState>
    );
  }
  return (
    <ol className="plain-list" aria-label="From matched bid requests to billed impressions">
      {layers.map((layer) => (
        <li key={layer.step.step}>
          <Layer layer={layer} />
          <Drops partnerId={partnerId} layer={layer} funnel={funnel} />
        </li>
      ))}
    </ol>
  );
}

function Layer({ layer: { step, label, width, passed } }: { readonly layer: FunnelLayer }) {
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Tooltip label={step.meaning} multiline maw={300} events={TOUCHABLE}>
          <Text
            fw={600}
            size="sm"
            tabIndex={0}
            role="note"
            aria-label={`${label}: ${step.meaning}`}
          >
            {label}
          </Text>
        </Tooltip>
        <Text size="sm" className="numeric">
          <b>{formatCount(step.count)}</b> {step.unit}
          {passed !== null && ` · ${formatPart(passed)}`}
        </Text>
      </Group>
      <Box h={20} my={4} bg="var(--mantine-color-default-border)" style={{ borderRadius: 4 }}>
        <Box
          h={20}
          bg="var(--mantine-primary-color-filled)"
          style={{ borderRadius: 4, width: `${100 * width}%`, minWidth: step.count > 0 ? 3 : 0 }}
        />
      </Box>
      {notesOf(step).map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}

const TOUCHABLE = { hover: true, focus: true, touch: true };

function notesOf({ step, requests, carried_over: carried }: FunnelStep): readonly string[] {
  const notes: string[] = [];
  if (step === 'bids' && requests !== null) notes.push(`in ${formatCount(requests)} answers`);
  if (carried > 0) notes.push(`${formatCount(carried)} of them are of auctions of another day`);
  return notes;
}

interface DropsProps extends FunnelViewProps {
  readonly layer: FunnelLayer;
}

function Drops({ partnerId, layer: { drops, label }, funnel }: DropsProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  if (drops.length === 0) return <Box h={14} />;
  const shown = isOpen ? drops : drops.slice(0, DROPS_AT_FIRST);
  const { start_date: day, lineitem_id: lineItemId } = funnel;
  const isKept = day > addDays(today(), -AUCTION_DAYS);
  return (
    <Stack
      gap={8}
      pl="md"
      my={10}
      ml={6}
      style={{ borderInlineStart: '2px solid var(--mantine-color-default-border)' }}
      component="ul"
      className="plain-list"
      aria-label={`Lost after: ${label}`}
    >
      {shown.map((drop) => {
        const { code, before, count, share, meaning, action, auction_filter: filter } = drop;
        return (
          <li key={`${before} ${code} ${meaning}`}>
            <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {filter !== null && isKept ? (
                  <Anchor
                    inherit
                    renderRoot={(root) => (
                      <Link
                        to={`${pagesOf(partnerId)}/auctions`}
                        search={auctionSearchOf(filter, day, lineItemId)}
                        {...root}
                      />
                    )}
                  >
                    <CodedText text={meaning} />
                  </Anchor>
                ) : (
                  <CodedText text={meaning} />
                )}
              </Text>
              <Text size="sm" className="numeric" c="dimmed">
                −{formatCount(count)} · {formatPart(share)}
              </Text>
            </Group>
            <Text size="xs" c="dimmed" maw={620}>
              <CodedText text={action} />
            </Text>
          </li>
        );
      })}
      {drops.length > DROPS_AT_FIRST && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? 'Show less' : `Show ${drops.length - DROPS_AT_FIRST} more reasons`}
          </Button>
        </li>
      )}
    </Stack>
  );
}
