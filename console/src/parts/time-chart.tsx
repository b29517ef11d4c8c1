import { Box, Group, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatApart, type Format } from './format.ts';

export interface Series {
  readonly label: string;
  /** A colour of the theme: `lagoon`, `orange`, `grape`. */
  readonly color: string;
  /** One for each time; null where it is not known. */
  readonly values: readonly (number | null)[];
  readonly format: Format;
  /** On an axis of its own at the right, where it is of another unit. */
  readonly isRight?: boolean;
  readonly isBars?: boolean;
}

interface TimeChartProps {
  /** What it shows: whoever cannot see it is told, with the latest values. */
  readonly label: string;
  /** ISO 8601 times, or UTC days, in their order. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly height?: number;
  /** Called with the index of the time that was clicked on. */
  readonly onPick?: (index: number) => void;
}

/** Lines or bars over time, in UTC. A table beside it says the same in numbers. */
export function TimeChart({ label, times, series, height = 240, onPick }: TimeChartProps) {
  const { ref, width } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const colorOf = (name: string): string => theme.colors[name]?.[isDark ? 5 : 7] ?? name;
  const shape = series.map(({ label: name, color, isRight, isBars }) => [
    name,
    color,
    isRight,
    isBars,
  ]);
  const key = JSON.stringify([shape, isDark, height, onPick !== undefined]);
  const latest = useRef({ series, onPick, times });
  latest.current = { series, onPick, times };

  useEffect(() => {
    if (host.current === null || width === 0) return undefined;
    const options = optionsOf({ latest, width, height, isDark, colorOf });
    const made = new uPlot(options, dataOf(latest.current), host.current);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
    // A chart is made anew where its shape changes; data and width change in place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, width === 0]);
  useEffect(() => plot.current?.setSize({ width, height }), [width, height]);
  useEffect(() => plot.current?.setData(dataOf({ times, series })), [times, series]);

  return (
    <Box ref={ref}>
      <Group gap="md" mb={4}>
        {series.map(({ label: name, color }) => (
          <Group key={name} gap={6}>
            <span style={{ width: 10, height: 10, borderRadius: 3, background: colorOf(color) }} />
            <Text size="xs">{name}</Text>
          </Group>
        ))}
      </Group>
      <div ref={host} role="img" aria-label={spoken(label, times, series)} style={{ height }} />
    </Box>
  );
}

interface Latest {
  readonly times: readonly string[];
  readonly series: readonly Series[];
}

interface OptionsParts {
  readonly latest: {
    readonly current: Latest & { readonly onPick: ((index: number) => void) | undefined };
  };
  readonly width: number;
  readonly height: number;
  readonly isDark: boolean;
  readonly colorOf: (name: string) => string;
}

function optionsOf({ latest, width, height, isDark, colorOf }: OptionsParts): uPlot.Options {
  const { series } = latest.current;
  const ink = isDark ? '#a3abb2' : '#5c636a';
  const grid = { stroke: isDark ? '#2c3137' : '#e9ecef', width: 1 };
  const axis = (scale: 'left' | 'right'): uPlot.Axis => ({
    scale,
    side: scale === 'left' ? 3 : 1,
    stroke: ink,
    grid: scale === 'left' ? grid : { show: false },
    ticks: { show: false },
    size: 64,
    values: (_plot, values) => {
      const { format } = latest.current.series.find((each) => sideOf(each) === scale) ?? {};
      return format === undefined ? values.map(String) : [...formatApart(format, values)];
    },
  });
  const hasRight = series.some((each) => sideOf(each) === 'right');
  const from = (_plot: uPlot, _min: number, max: number): [number, number] => [
    0,
    max > 0 ? max * 1.08 : 1,
  ];
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    scales: { x: { range: spanOf(latest) }, left: { range: from }, right: { range: from } },
    axes: [
      {
        stroke: ink,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        ...timeAxisOf(latest.current.times),
      },
      axis('left'),
      ...(hasRight ? [axis('right')] : []),
    ],
    series: [{}, ...series.map((each) => lineOf(each, colorOf(each.color)))],
    hooks: { ready: [(plot) => addTip(plot, latest)] },
  };
}

const DAY_S = 86_400;
/** Between the labels of times. */
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];

/** From the first time to the last; bars get the half that stands out at either end. */
function spanOf(latest: OptionsParts['latest']) {
  return (_plot: uPlot, min: number, max: number): [number, number] => {
    const { times, series } = latest.current;
    if (times.length === 0 || !series.some(({ isBars }) => isBars === true)) return [min, max];
    const half = times.length < 2 ? DAY_S / 2 : (max - min) / (times.length - 1) / 2;
    return [min - half, max + half];
  };
}

/**
 * Days as `11-22`, other times as `04:19`, in UTC, with the day where a time stands twice. Whole days or
 * minutes, so that no two labels are the same.
 */
function timeAxisOf(times: readonly string[]): Partial<uPlot.Axis> {
  const areDays = times.every((time) => time.length === 10);
  const isos = (splits: readonly number[]) =>
    splits.map((seconds) => new Date(seconds * 1_000).toISOString());
  if (areDays) {
    return {
      space: 56,
      incrs: [1, 2, 3, 5, 7, 14, 28].map((days) => days * DAY_S),
      values: (_plot, splits) => isos(splits).map((iso) => iso.slice(5, 10)),
    };
  }
  return {
    space: 84,
    incrs: MINUTES.map((minutes) => minutes * 60),
    values: (_plot, splits) => {
      const texts = isos(splits).map((iso) => iso.slice(11, 16));
      if (new Set(texts).size === texts.length) return texts;
      return isos(splits).map((iso) => iso.slice(5, 16).replace('T', ' '));
    },
  };
}

function lineOf(each: Series, stroke: string): uPlot.Series {
  const line: uPlot.Series = {
    label: each.label,
    scale: sideOf(each),
    stroke,
    width: 2,
    points: { show: each.values.length < 3 },
  };
  const paths = each.isBars === true ? uPlot.paths.bars?.({ size: [0.7, 60] }) : undefined;
  return paths === undefined ? line : { ...line, fill: stroke, paths };
}

/** What stands under the pointer, in words. */
function addTip(plot: uPlot, latest: OptionsParts['latest']): void {
  const tip = document.createElement('div');
  tip.className = 'chart-tip';
  tip.hidden = true;
  plot.over.append(tip);
  const show = (): void => {
    const index = plot.cursor.idx;
    const { times, series } = latest.current;
    const time = index === null || index === undefined ? undefined : times[index];
    tip.hidden = time === undefined;
    if (time === undefined || index === null || index === undefined) return;
    const lines = series.map(({ label, values, format }) => {
      const value = values[index];
      return `${label}: ${value === null || value === undefined ? '–' : format(value)}`;
    });
    tip.textContent = [timeText(time), ...lines].join('\n');
    const left = plot.cursor.left ?? 0;
    tip.style.left = `${Math.min(left + 12, plot.over.clientWidth - tip.offsetWidth - 4)}px`;
  };
  plot.over.addEventListener('mousemove', show);
  plot.over.addEventListener('mouseleave', () => (tip.hidden = true));
  plot.over.addEventListener('click', () => {
    const index = plot.cursor.idx;
    if (index !== null && index !== undefined) latest.current.onPick?.(index);
  });
}

function dataOf({ times, series }: Latest): uPlot.AlignedData {
  const seconds = times.map(
    (time) => Date.parse(time.length === 10 ? `${time}T00:00:00Z` : time) / 1_000,
  );
  return [seconds, ...series.map(({ values }) => [...values])];
}

function sideOf({ isRight }: Series): 'left' | 'right' {
  return isRight === true ? 'right' : 'left';
}

function timeText(time: string): string {
  return time.length === 10 ? time : `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

function spoken(label: string, times: readonly string[], series: readonly Series[]): string {
  const last = times.at(-1);
  if (last === undefined) return `${label}: nothing yet`;
  const parts = series.map(({ label: name, values, format }) => {
    const value = values.at(-1);
    return `${name} ${value === null || value === undefined ? 'unknown' : format(value)}`;
  });
  return `${label}, chart of ${times.length} points; at ${timeText(last)}: ${parts.join(', ')}`;
}
