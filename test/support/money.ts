import { join } from 'node:path';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import {
  BEACON_KINDS,
  type BeaconKind,
  type BeaconRecord,
} from '../../src/events/beacon-record.ts';
import type { Delivery, DeliveryRecord } from '../../src/events/delivery-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { StartedExchange } from './exchange.ts';
import type { StartedNode } from './node.ts';

/** All of a node's money, by kind. */
export interface Money {
  readonly auctions: readonly AuctionRecord[];
  readonly beacons: Readonly<Record<BeaconKind, readonly BeaconRecord[]>>;
  readonly deliveries: readonly Delivery[];
}

export async function readMoney({ dataDirectory }: StartedNode): Promise<Money> {
  const auctions: AuctionRecord[] = [];
  const beacons = { win: [], impression: [], view: [], click: [] } as Record<
    BeaconKind,
    BeaconRecord[]
  >;
  const deliveries: DeliveryRecord[] = [];
  const directory = join(dataDirectory, 'journal');
  for await (const { text } of readJournal({ directory, stream: 'money' })) {
    const record: MoneyRecord = JSON.parse(text);
    if (record.kind === 'auction') auctions.push(record);
    else if (record.kind === 'delivery') deliveries.push(record);
    else beacons[record.kind].push(record);
  }
  return { auctions, beacons, deliveries: deliveries.flatMap((record) => record.deliveries) };
}

/** What names an impression, and with its event a notice. */
export function impressionKey(record: {
  readonly auction_id: string;
  readonly imp: number;
}): string {
  return `${record.auction_id}-${record.imp}`;
}

/** Beacons of a kind that are recorded more than once. */
export function countedTwice(money: Money): string[] {
  return BEACON_KINDS.flatMap((kind) => {
    const keys = money.beacons[kind].map(impressionKey);
    return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${kind} ${key}`);
  });
}

/** The rows of today's report by date, whose metrics are numbers. */
export async function reportOf(
  { node }: Pick<StartedExchange, 'node'>,
  side: 'demand' | 'supply',
  token: string,
): Promise<Readonly<Record<string, number | string>> | undefined> {
  const today = new Date().toISOString().slice(0, 10);
  const query = new URLSearchParams({
    account_auth_token: token,
    start_date: today,
    end_date: today,
  });
  const url = `${node.urls.control}/reporting/brand/${side}?${query.toString()}`;
  const answer = await fetch(url);
  if (answer.status !== 200) return undefined;
  const { data }: { data: readonly Readonly<Record<string, number | string>>[] } = JSON.parse(
    await answer.text(),
  );
  return data[0];
}
