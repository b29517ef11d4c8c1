import nodeFs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { pino, type Logger } from 'pino';

import type { AuctionRecord, NoticeRecord } from '../events/auction-record.ts';
import type { BeaconRecord } from '../events/beacon-record.ts';
import type { Delivery } from '../events/delivery-record.ts';
import { readIncarnation } from '../journal/incarnation.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { readJournal } from '../journal/read.ts';
import type { JournalWriter } from '../journal/segment.ts';
import type { NoticeCall, NoticeReply } from '../ports/notice-client.ts';

/** The time at which tests begin. */
export const START_MS = Date.UTC(2026, 10, 20);

/** An auction id that is made of a number. */
export function auctionId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

/** The record of an auction with notices; what notices do not depend on is made up. */
export function auctionRecord(
  n: number,
  notices: readonly Partial<NoticeRecord>[],
  differs: Partial<AuctionRecord> = {},
): AuctionRecord {
  return {
    kind: 'auction',
    auction_id: auctionId(n),
    node: '0123456789abcdef',
    request_id: `request "${n}"`,
    at_ms: START_MS,
    snapshot: 'e.1',
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    app_bundle: '',
    app_site_domain: 'site.example',
    country_code: 'GBR',
    platform_demand: 'Web',
    platform_supply: 'Web',
    os: 'Windows',
    categories: ['IAB12'],
    language: 'en',
    connectiontype: 2,
    has_location: 0,
    imps: [],
    calls: [],
    bids: [],
    bids_dropped: 0,
    notices: notices.map((notice, bid) => ({
      event: 'win',
      bid,
      imp: 0,
      demand_partner_id: 1001,
      lineitem_id: 501,
      unless_won_by_ms: 0,
      url: `http://a.example/${n}`,
      ...notice,
    })),
    ...differs,
  };
}

/** The record of a beacon that makes a notice due. */
export function beaconRecord(n: number, differs: Partial<BeaconRecord> = {}): BeaconRecord {
  return {
    kind: 'impression',
    auction_id: auctionId(n),
    imp: 0,
    expires_ms: START_MS + 3_600_000,
    node: '0123456789abcdef',
    at_ms: START_MS,
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    zone_id: 4001,
    demand_partner_id: 1001,
    lineitem_id: 501,
    dealid: '',
    ad_format: 'banner',
    interstitial: 0,
    rewarded: 0,
    app_bundle: '',
    app_site_domain: 'site.example',
    country_code: 'GBR',
    platform_demand: 'Web',
    platform_supply: 'Web',
    os: 'Windows',
    clearing_micros: 2_510_000,
    payout_micros: 2_000_000,
    notice_url: `http://a.example/${n}`,
    ...differs,
  };
}

/** A node's data directory, with the journals of its processes. */
export class TestNode {
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-notices-'));
  readonly journalDirectory = join(this.dataDirectory, 'journal');
  readonly incarnation: string;
  readonly log: string[] = [];
  readonly logger: Logger = pino(
    { level: 'info' },
    { write: (line) => void this.log.push(JSON.parse(line).msg) },
  );
  readonly #journals = new Map<string, Journal>();

  constructor() {
    nodeFs.mkdirSync(this.journalDirectory);
    this.incarnation = readIncarnation(this.journalDirectory, nodeFs);
  }

  /** A journal that stays open, as of a running process; the same one for the same name. */
  journal(writer: JournalWriter, name: string = writer): Journal {
    let journal = this.#journals.get(name);
    if (journal === undefined) {
      journal = openJournal({
        directory: this.journalDirectory,
        stream: 'money',
        writer,
        now: Date.now,
        ...(writer === 'exchange'
          ? {}
          : {
              durable: {
                onFailure: (error) => {
                  throw error;
                },
              },
            }),
      });
      this.#journals.set(name, journal);
    }
    return journal;
  }

  /** Resolves once the records are in the journal. */
  async write(
    writer: JournalWriter,
    records: readonly (AuctionRecord | BeaconRecord)[],
  ): Promise<void> {
    await Promise.all(records.map((record) => this.append(writer, JSON.stringify(record))));
  }

  append(writer: JournalWriter, line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.journal(writer).append(line, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  /** Ends a process. */
  end(name: string): void {
    this.#journals.get(name)?.close();
    this.#journals.delete(name);
  }

  /** The segments of a writer, and how long they are. */
  segments(writer: JournalWriter): { names: string[]; sizeOf: (name: string) => number } {
    const names = nodeFs.readdirSync(this.journalDirectory).filter((name) => {
      const path = join(this.journalDirectory, name);
      return name.startsWith('money-') && nodeFs.readFileSync(path, 'utf8').includes(`"${writer}"`);
    });
    const sizeOf = (name: string): number =>
      nodeFs.statSync(join(this.journalDirectory, name)).size;
    return { names, sizeOf };
  }

  /** Everything that couriers have recorded as done. */
  async deliveries(): Promise<Delivery[]> {
    const found: Delivery[] = [];
    const options = { directory: this.journalDirectory, stream: 'money' as const };
    for await (const { writer, text } of readJournal(options)) {
      if (writer === 'courier') found.push(...JSON.parse(text).deliveries);
    }
    return found;
  }

  close(): void {
    for (const name of this.#journals.keys()) this.end(name);
    rmSync(this.dataDirectory, { recursive: true });
  }
}

/** Both clocks, which stand still until they are moved. */
export class TestClock {
  nowMs = START_MS;
  monotonicMs = 1_000;
  readonly #due: { readonly atMs: number; readonly fire: () => void }[] = [];

  /** Moves on, and lets what is due happen on the way. */
  async advance(ms: number): Promise<void> {
    // What has been answered is told before time goes on.
    await setImmediate();
    const endMs = this.monotonicMs + ms;
    for (;;) {
      this.#due.sort((a, b) => a.atMs - b.atMs);
      const [next] = this.#due;
      if (next === undefined || next.atMs > endMs) break;
      this.#due.shift();
      this.#move(next.atMs);
      next.fire();
      await Promise.resolve();
    }
    this.#move(endMs);
  }

  at(monotonicMs: number, fire: () => void): void {
    this.#due.push({ atMs: monotonicMs, fire });
  }

  #move(monotonicMs: number): void {
    this.nowMs += monotonicMs - this.monotonicMs;
    this.monotonicMs = monotonicMs;
  }
}

/** What a partner's server does with a call: answers at once, or hangs until the deadline. */
export type Behaviour = (call: NoticeCall, host: string) => NoticeReply | 'hangs';

export const DELIVERED: NoticeReply = { kind: 'answer', status: 204, body: '' };
export const REFUSED: NoticeReply = { kind: 'error', code: 'ECONNREFUSED' };

/** Partners' servers in memory. */
export class TestPartners {
  behave: Behaviour = () => DELIVERED;
  /** Every call that was answered without being busy, by its id, in their order. */
  readonly calls: { readonly id: string; readonly host: string; readonly atMs: number }[] = [];
  readonly #clock: TestClock;

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  call(call: NoticeCall, settle: (reply: NoticeReply) => void): void {
    const host = URL.parse(call.url)?.host ?? '';
    const reply = this.behave(call, host);
    if (reply === 'hangs') {
      this.#clock.at(call.deadlineMs, () => settle({ kind: 'timeout' }));
    } else queueMicrotask(() => settle(reply));
    const isBusy = reply !== 'hangs' && reply.kind === 'busy';
    if (!isBusy) this.calls.push({ id: call.id, host, atMs: this.#clock.nowMs });
  }

  /** The ids of the calls to a host, each once. */
  reached(host: string): Set<string> {
    return new Set(this.calls.filter((call) => call.host === host).map(({ id }) => id));
  }
}
