import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Beacon } from '../../src/beacons/beacon.ts';
import { createWonImp, sealBeacon } from '../../src/beacons/fixtures.ts';
import { keyRingAt } from '../../src/beacons/key-ring.ts';
import { NONCE_BYTES } from '../../src/beacons/token.ts';
import { readBeaconKeys } from '../../src/courier/beacon-key-file.ts';
import type { BeaconKind, BeaconRecord, WonImp } from '../../src/events/beacon-record.ts';
import { BEACON_KINDS } from '../../src/events/beacon-record.ts';
import { readIncarnation } from '../../src/journal/incarnation.ts';
import { readJournal } from '../../src/journal/read.ts';
import type { StartedNode } from './node.ts';

const PATHS: Readonly<Record<BeaconKind, string>> = {
  win: 'win',
  impression: 'imp',
  view: 'view',
  click: 'click',
};

/** An impression won now, of an auction of its own. */
export function wonNow(differs: Partial<WonImp> = {}): WonImp {
  return createWonImp({
    auction_id: randomBytes(16).toString('hex'),
    expires_ms: Date.now() + 3_600_000,
    ...differs,
  });
}

/** A beacon without what most tests leave empty, and without the home. */
export type SealedBeacon = Pick<Beacon, 'kind' | 'imp'> & Partial<Pick<Beacon, 'url' | 'winUrl'>>;

/** Seals as an exchange process of the node would, with the keys in its data directory. */
export function createSealer(node: StartedNode): (beacon: SealedBeacon) => string {
  const keys = readBeaconKeys(node.dataDirectory);
  if (keys === null) throw new Error('the node has no beacon keys');
  const ring = keyRingAt(keys, Date.now());
  const home = readIncarnation(join(node.dataDirectory, 'journal'), nodeFs);
  return ({ kind, imp, url = '', winUrl = '' }) => {
    const token = sealBeacon({ kind, home, url, winUrl, imp }, ring, randomBytes(NONCE_BYTES));
    return `${node.urls.tracker}/${PATHS[kind]}/${token}`;
  };
}

/** How often a client sends a beacon that nobody acknowledges. */
const TRIES_MAX = 2_000;
const RETRY_MS = 10;

/** Sends a beacon again and again until it is acknowledged; gives the number of tries. */
export async function sendUntilAcknowledged(url: string): Promise<number> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      const { statusCode, body } = await request(url);
      await body.dump();
      if (statusCode < 400) return tries;
      if (statusCode !== 503) throw new Error(`refused for good: ${statusCode}`);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('refused')) throw error;
    }
    await delay(RETRY_MS);
  }
  throw new Error(`not acknowledged after ${TRIES_MAX} tries`);
}

/** Every beacon in the node's journal, in the order of the lines. */
export async function beaconRecords(dataDirectory: string): Promise<BeaconRecord[]> {
  const directory = join(dataDirectory, 'journal');
  const records: BeaconRecord[] = [];
  for await (const { text } of readJournal({ directory, stream: 'money' })) {
    const record: BeaconRecord = JSON.parse(text);
    if (BEACON_KINDS.includes(record.kind)) records.push(record);
  }
  return records;
}
