import { Box, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { formatDecimal, NOTHING } from '../parts/format.ts';
import { Scrolling } from '../parts/scrolling.tsx';
import { nameOf } from './names.ts';
import { lookOf, OutcomeBadge } from './outcome.tsx';
import type { Timeline, TimelineBar } from './timeline-scale.ts';
import './timeline.css';

export type TimelineShape = 'chart' | 'table';

interface TimelineProps {
  readonly timeline: Timeline;
  readonly shape: TimelineShape;
  readonly onShape: (shape: TimelineShape) => void;
}

/** The calls of an auction in time: drawn, or the same as a table. */
export function AuctionTimeline({ timeline, shape, onShape }: TimelineProps) {
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Legend timeline={timeline} />
        <SegmentedControl
          size="xs"
          aria-label="Show the calls as"
          value={shape}
          onChange={(value) => onShape(value === 'table' ? 'table' : 'chart')}
          data={[
            { value: 'chart', label: 'Timeline' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </Group>
      {shape === 'table' ? <CallTable timeline={timeline} /> : <Drawn timeline={timeline} />}
    </>
  );
}

/** The drawing is of pictures: whoever cannot see it is told each row as a sentence. */
function Drawn({ timeline }: { readonly timeline: Timeline }) {
  const { bars, ticks, endMs, tmaxMs } = timeline;
  const at = (ms: number): string => `${(100 * ms) / endMs}%`;
  return (
    <Scrolling label="Timeline" minWidth={640}>
      <div className="timeline" role="list" aria-label="Timeline of the calls">
        <div className="timeline-row" aria-hidden>
          <span className="timeline-name">ms into the auction</span>
          <div className="timeline-track timeline-axis">
            {ticks.map((tick) => (
              <span key={tick} className="timeline-tick" style={{ insetInlineStart: at(tick) }}>
                {formatDecimal(tick)}
              </span>
            ))}
          </div>
        </div>
        {bars.map((bar) => (
          <div
            className="timeline-row"
            role="listitem"
            key={bar.index}
            aria-label={bar.call.sentence}
          >
            <span className="timeline-name" title={nameOf(bar.call.demand_partner)} aria-hidden>
              <bdi>{nameOf(bar.call.demand_partner)}</bdi>
            </span>
            <div className="timeline-track" title={bar.call.sentence} aria-hidden>
              <Bar bar={bar} at={at} endMs={endMs} />
              {tmaxMs !== null && (
                <span className="timeline-limit" style={{ insetInlineStart: at(tmaxMs) }} />
              )}
            </div>
          </div>
        ))}
      </div>
    </Scrolling>
  );
}

interface BarProps {
  readonly bar: TimelineBar;
  readonly at: (ms: number) => string;
  readonly endMs: number;
}

function Bar({ bar, at, endMs }: BarProps) {
  const { call, startMs, endMs: answeredMs, deadlineMs } = bar;
  const { words, color } = lookOf(call.outcome);
  const said = call.reason === '' ? words : `${words}: ${call.reason}`;
  if (startMs === null) {
    return (
      <span className="timeline-words" style={{ insetInlineStart: 0 }}>
        {said}
      </span>
    );
  }
  const barEndMs = answeredMs ?? startMs;
  const took = answeredMs === null ? '' : ` · ${formatDecimal(answeredMs - startMs)} ms`;
  const wordsMs = wordsAt({ barEndMs, deadlineMs, endMs });
  const place =
    wordsMs === null
      ? { insetInlineEnd: `${100 - (100 * startMs) / endMs}%` }
      : { insetInlineStart: at(wordsMs) };
  return (
    <>
      <span
        className="timeline-bar"
        style={{
          insetInlineStart: at(startMs),
          width: at(Math.max(0, barEndMs - startMs)),
          background: `var(--mantine-color-${color}-5)`,
          borderColor: `var(--mantine-color-${color}-8)`,
        }}
      />
      {deadlineMs !== null && (
        <span className="timeline-deadline" style={{ insetInlineStart: at(deadlineMs) }} />
      )}
      <span className="timeline-words" style={place}>
        {said}
        {took}
      </span>
    </>
  );
}

interface Marks {
  readonly barEndMs: number;
  readonly deadlineMs: number | null;
  readonly endMs: number;
}

/** Where words begin: behind the bar, or behind its limit; null where there is room before it alone. */
function wordsAt({ barEndMs, deadlineMs, endMs }: Marks): number | null {
  const room = endMs * 0.28;
  if (deadlineMs !== null && deadlineMs - barEndMs > room) return barEndMs;
  const afterMs = Math.max(barEndMs, deadlineMs ?? 0);
  return afterMs < endMs - room ? afterMs : null;
}

function Legend({ timeline }: { readonly timeline: Timeline }) {
  const outcomes = [...new Set(timeline.bars.map(({ call }) => call.outcome))];
  const { durationMs, tmaxMs } = timeline;
  return (
    <Group gap="md" fz="sm">
      {outcomes.map((outcome) => (
        <Group gap={6} key={outcome}>
          <Box
            w={12}
            h={12}
            aria-hidden
            style={{
              borderRadius: 3,
              background: `var(--mantine-color-${lookOf(outcome).color}-5)`,
              border: `1px solid var(--mantine-color-${lookOf(outcome).color}-8)`,
            }}
          />
          <Text size="sm">{lookOf(outcome).words}</Text>
        </Group>
      ))}
      <Group gap={6}>
        <Box w={2} h={14} bg="var(--mantine-color-text)" opacity={0.55} aria-hidden />
        <Text size="sm">tmax of the bid request</Text>
      </Group>
      {tmaxMs !== null && (
        <Group gap={6}>
          <Box h={14} style={{ borderLeft: '2px dashed var(--mantine-color-red-6)' }} aria-hidden />
          <Text size="sm">tmax of the auction, {formatDecimal(tmaxMs)} ms</Text>
        </Group>
      )}
      {durationMs !== null && (
        <Text size="sm" c="dimmed">
          took {formatDecimal(durationMs)} ms
        </Text>
      )}
    </Group>
  );
}

function CallTable({ timeline }: { readonly timeline: Timeline }) {
  return (
    <Scrolling label="Calls" minWidth={760}>
      <Table aria-label="Calls of the auction in time" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Demand partner</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th className="numeric">Sent (ms)</Table.Th>
            <Table.Th className="numeric">Ended (ms)</Table.Th>
            <Table.Th className="numeric">Took (ms)</Table.Th>
            <Table.Th className="numeric">tmax (ms)</Table.Th>
            <Table.Th className="numeric">HTTP</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {timeline.bars.map(({ index, call, startMs, endMs }) => (
            <Table.Tr key={index}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <bdi>{nameOf(call.demand_partner)}</bdi>
              </Table.Td>
              <Table.Td>
                <OutcomeBadge outcome={call.outcome} note={call.reason} />
              </Table.Td>
              <Table.Td className="numeric">{milliseconds(startMs)}</Table.Td>
              <Table.Td className="numeric">{milliseconds(endMs)}</Table.Td>
              <Table.Td className="numeric">{milliseconds(call.answered_after_ms)}</Table.Td>
              <Table.Td className="numeric">{milliseconds(call.tmax_ms)}</Table.Td>
              <Table.Td className="numeric">{call.status ?? NOTHING}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}

function milliseconds(value: number | null): string {
  return value === null ? NOTHING : formatDecimal(value);
}
