import type { AuctionChoice } from '../analytics/recorded-wire.ts';
import { addDays, dateOf, startOf } from '../analytics/dates.ts';
import { RAW_DAYS } from '../analytics/rebuild.ts';
import type { ReplayChange } from '../auction/replay.ts';
import { CommandError } from '../base/errors.ts';
import { microsFromDollars, PRICE_MAX_MICROS } from '../base/money.ts';

/** What `rialto replay` was asked for. */
export interface ReplayOptions {
  readonly choice: AuctionChoice;
  readonly change: ReplayChange;
  /** Null leaves it as it was. */
  readonly auctionType: 'first_price' | 'second_price' | null;
  /** False: everything is decided as it was. */
  readonly changes: boolean;
  readonly auctionsMax: number;
  readonly seed: string;
}

/** So many are decided in some minutes; of more, a sample says as much. */
const AUCTIONS_DEFAULT = 1_000_000;
const AUCTIONS_MAX = 100_000_000;
const SEED_LENGTH_MAX = 200;

type Flags = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options of `rialto replay`.
 *
 * @param nowMs Unix time in milliseconds.
 * @throws CommandError that names the option and what it should be.
 */
export function readReplayOptions(flags: Flags, nowMs: number): ReplayOptions {
  const today = dateOf(nowMs);
  const fromMs = readTime(flags, '--from', today).startMs;
  const toMs = readTime(flags, '--to', today).endMs;
  const first = addDays(today, 1 - RAW_DAYS);
  if (fromMs < startOf(first)) {
    throw new CommandError(
      `--from is ${flags['--from']}; raw records are kept for two weeks: begin with ${first} or later.`,
      { exit: 'usage' },
    );
  }
  if (toMs <= fromMs) throw new CommandError('--to has to be after --from.', { exit: 'usage' });
  const zoneId = readId(flags, '--ad-space');
  const floorMicros = readFloor(flags['--floor']);
  const auctionType = readAuctionType(flags['--auction-type']);
  return {
    choice: {
      from_ms: fromMs,
      to_ms: toMs,
      publisher_id: readId(flags, '--publisher'),
      zone_id: zoneId,
      demand_partner_id: readId(flags, '--partner'),
    },
    change: {
      floorMicros,
      firstPrice: auctionType === null ? null : auctionType === 'first_price',
      zoneId: zoneId === 0 ? null : zoneId,
    },
    auctionType,
    changes: floorMicros !== null || auctionType !== null,
    auctionsMax: readLimit(flags['--limit']),
    seed: readSeed(flags['--seed']),
  };
}

/** `2026-11-20`, or a time of it: `2026-11-20T08:30`, with or without seconds and a Z. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?Z?)?$/;

/** A day begins and ends; a time is both at once. */
function readTime(flags: Flags, flag: string, today: string): { startMs: number; endMs: number } {
  const text = flags[flag] ?? today;
  const [, date = '', time, seconds = ''] = TIME.exec(text) ?? [];
  try {
    const startMs = startOf(date);
    if (time === undefined) return { startMs, endMs: startOf(addDays(date, 1)) };
    const atMs = Date.parse(`${date}T${time}${seconds}Z`);
    if (!Number.isNaN(atMs)) return { startMs: atMs, endMs: atMs };
  } catch {
    // No day of the calendar.
  }
  throw new CommandError(
    `${flag} is ${text}; give a UTC day as YYYY-MM-DD or a time as YYYY-MM-DDTHH:MM.`,
    { exit: 'usage' },
  );
}

/** 0 where it was not given. */
function readId(flags: Flags, flag: string): number {
  const text = flags[flag];
  if (text === undefined) return 0;
  const id = Number(text);
  if (/^\d{1,15}$/.test(text) && id > 0) return id;
  throw new CommandError(`${flag} is ${text}; give the number of one.`, { exit: 'usage' });
}

function readFloor(text: string | undefined): number | null {
  if (text === undefined) return null;
  const micros = /^\d+(\.\d+)?$/.test(text) ? microsFromDollars(Number(text)) : NaN;
  if (micros >= 0 && micros <= PRICE_MAX_MICROS) return micros;
  throw new CommandError(`--floor is ${text}; give US dollars CPM from 0 to 10000, such as 1.50.`, {
    exit: 'usage',
  });
}

function readAuctionType(text: string | undefined): ReplayOptions['auctionType'] {
  if (text === undefined) return null;
  if (text === 'first_price' || text === 'second_price') return text;
  throw new CommandError(`--auction-type is ${text}; give first_price or second_price.`, {
    exit: 'usage',
  });
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return AUCTIONS_DEFAULT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit > 0 && limit <= AUCTIONS_MAX) return limit;
  throw new CommandError(
    `--limit is ${text}; give a number of auctions from 1 to ${AUCTIONS_MAX}.`,
    { exit: 'usage' },
  );
}

function readSeed(text = '1'): string {
  if (text.length <= SEED_LENGTH_MAX) return text;
  throw new CommandError(`--seed has ${text.length} characters; at most ${SEED_LENGTH_MAX}.`, {
    exit: 'usage',
  });
}
