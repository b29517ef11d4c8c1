import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countOf, largeFile, LARGEST } from '../test/support/large-file.ts';
import { startNode, type StartedNode } from '../test/support/node.ts';
import { childrenOf, cpuTicksOf } from '../test/support/processes.ts';
import { quantile } from './statistics.ts';

/**
 * What large changes of the configuration cost a node with 25,590 resources, and how long others wait for
 * control meanwhile: a first start with the file, the same file again, 2,000 changes, single changes, and many line items
 * by one request.
 * CPU is told in units, a unit being fixed work that takes a second on an idle core of the machine that the
 * limits were set on; it is measured before each of them. Ends with 1 where a limit is missed. Linux only.
 */
const CHANGED = { ...LARGEST, changed: 100 };
const CHANGES = LARGEST.partners * CHANGED.changed;
const SINGLE_CHANGES = 200;
/** Units of CPU for a request that makes or changes many line items. */
const BULK_LIMIT = 1;
const ASK_EVERY_MS = 20;
const QUIET_MS = 3_000;
const SNAPSHOT_MS = 1_000;
const TICKS_A_SECOND = 100;
const UNIT_ROUNDS = 350;
/** What control knows of the store is kept, and its heap has grown with what it did. */
const MORE_MEMORY_MAX_MB = 200;
/** By how much longer others may wait for an answer than they do while nothing is changed. */
const MORE_WAIT_MAX_MS = 50;
const MEMORY_AFTER_MS = 15_000;

const OPERATOR = `operators:
  - email: operator@example.com
    password: operator-password
    applications: [{ name: ops, client_id: ops, client_secret: ops-secret }]
  - email: other@example.com
    password: other-password
    applications: [{ name: other, client_id: other, client_secret: other-secret }]
`;

let missed = 0;

console.log(`${countOf(LARGEST)} resources`);
const directory = mkdtempSync(join(tmpdir(), 'rialto-bench-bulk-'));
try {
  const file = join(directory, 'exchange.yaml');
  writeFileSync(file, OPERATOR + largeFile(LARGEST));
  const unit = measureUnit();
  const startedMs = performance.now();
  const node = await startNode({ file });
  try {
    await measureStart(node, unit, startedMs);
    await measureNode(node);
  } finally {
    await node.stop();
  }
} finally {
  rmSync(directory, { recursive: true });
}
process.exitCode = missed === 0 ? 0 : 1;

async function measureStart(node: StartedNode, unit: Unit, startedMs: number): Promise<void> {
  await askForAd(node);
  const wallS = (performance.now() - startedMs) / 1_000;
  const processes = [node.pid, ...childrenOf(node.pid).map(({ pid }) => pid)];
  tell('first start to the first auction, CPU of all processes', cpuS(processes) / unit.cpuS, 10);
  console.log(`  ${wallS.toFixed(1)} s on the clock`);
}

async function measureNode(node: StartedNode): Promise<void> {
  const [control] = node.pids('control');
  if (control === undefined) throw new Error('no control');
  const api = await signedIn(node.urls.control, 'ops');
  const other = await signedIn(node.urls.control, 'other');
  await delay(MEMORY_AFTER_MS);
  const beforeMb = residentMb(control);
  const text = OPERATOR + largeFile(LARGEST);
  const changed = OPERATOR + largeFile(CHANGED);
  const put =
    (body: string, query = '') =>
    async (): Promise<void> => {
      const answer = await api('PUT', `/configuration/${query}`, body, 'application/yaml');
      const { updated, unchanged } = JSON.parse(answer);
      console.log(`  ${updated} changed, ${unchanged} as they were`);
    };
  await measure('the same file again', control, { limit: 2, other }, put(text));
  await measure(
    `a trial of ${CHANGES} changes`,
    control,
    { limit: 4, other },
    put(changed, '?dry_run=true'),
  );
  await measure(`${CHANGES} changes`, control, { limit: 4, other }, put(changed));
  await measure(
    `${SINGLE_CHANGES} single changes`,
    control,
    { limit: SINGLE_CHANGES / 20, other },
    async () => {
      for (let at = 0; at < SINGLE_CHANGES; at += 1) {
        const path = `/demand-partners/10000/line-items/xch/${1 + at}/`;
        await api('PATCH', path, JSON.stringify({ description: `change ${at}` }));
      }
    },
  );
  // Each line item counts as a write of its user.
  for (const [user, items, what] of [
    [other, Array.from({ length: 1_000 }, (_, at) => ({ name: `Made ${at}` })), 'line items made'],
    [
      api,
      Array.from({ length: 400 }, (_, at) => ({ id: 1 + at, description: '' })),
      'line items changed',
    ],
  ] as const) {
    await measure(
      `${items.length} ${what} at once`,
      control,
      { limit: BULK_LIMIT, other },
      async () => {
        const path = '/demand-partners/10000/line-items/xch/bulk/';
        const answer = JSON.parse(await user('POST', path, JSON.stringify({ line_items: items })));
        console.log(
          `  ${answer.created} made, ${answer.changed} changed, ${answer.refused} refused`,
        );
      },
    );
  }
  await delay(MEMORY_AFTER_MS);
  const moreMb = residentMb(control) - beforeMb;
  tell('memory of control that stays after all this, MB', moreMb, MORE_MEMORY_MAX_MB);
}

async function askForAd(node: StartedNode): Promise<void> {
  const answer = await fetch(`${node.urls.exchange}/ad/1`);
  if (!answer.ok) throw new Error(`no auction: ${answer.status}`);
}

interface Unit {
  readonly cpuS: number;
  /** How much longer than its CPU something takes now: others use the machine as well. */
  readonly slowdown: number;
}

interface Measured {
  /** Units of CPU. */
  readonly limit: number;
  readonly other: Api;
}

/** CPU of control, and what somebody else waits who asks for something small all the time. */
async function measure(
  what: string,
  pid: number,
  { limit, other }: Measured,
  work: () => Promise<void>,
): Promise<void> {
  const unit = measureUnit();
  const quietBefore = cpuS([pid]);
  const quiet = await waitsDuring(other, () => delay(QUIET_MS));
  const before = cpuS([pid]);
  const startMs = performance.now();
  const busy = await waitsDuring(other, work);
  const wallS = (performance.now() - startMs) / 1_000;
  // What follows a change belongs to it: the snapshot is compiled.
  await delay(SNAPSHOT_MS);
  // What control does anyway, and to answer who waits, is no part of it.
  const othersS = ((before - quietBefore) / quiet.asked) * busy.asked;
  tell(`${what}, CPU of control`, (cpuS([pid]) - before - othersS) / unit.cpuS, limit);
  console.log(`  ${wallS.toFixed(1)} s on the clock`);
  const [quietMs, busyMs] = [quiet.p99Ms, busy.p99Ms];
  console.log(
    `  others wait ${quietMs.toFixed(0)} ms (p99) while nothing is changed, now ${busyMs.toFixed(0)}`,
  );
  tell('  of which more, by the slowdown', (busyMs - quietMs) / unit.slowdown, MORE_WAIT_MAX_MS);
}

interface Waits {
  readonly p99Ms: number;
  readonly asked: number;
}

/** What somebody waits for something small who asks all the time: all but a hundredth of the answers. */
async function waitsDuring(api: Api, work: () => Promise<unknown>): Promise<Waits> {
  const waits: number[] = [];
  const working = { isOver: false };
  const done = work().finally(() => (working.isOver = true));
  while (!working.isOver) {
    const askedMs = performance.now();
    await api('GET', '/demand-partners/10001/line-items/xch/501/');
    waits.push(performance.now() - askedMs);
    await delay(ASK_EVERY_MS);
  }
  await done;
  return { p99Ms: quantile(waits, 0.99), asked: waits.length };
}

function tell(what: string, value: number, limit: number): void {
  const isMissed = value > limit;
  if (isMissed) missed += 1;
  console.log(`${what}: ${value.toFixed(2)} (at most ${limit})${isMissed ? ' MISSED' : ''}`);
}

type Api = (method: string, path: string, body?: string, type?: string) => Promise<string>;

async function signedIn(control: string, name: string): Promise<Api> {
  const grant = { grant_type: 'client_credentials', scope: 'read write' };
  const token = await fetch(`${control}/v2/auth/token/`, {
    method: 'POST',
    body: new URLSearchParams({ ...grant, client_id: name, client_secret: `${name}-secret` }),
  });
  const { access_token: access } = Object(await token.json());
  return async (method, path, body, type = 'application/json') => {
    const answer = await fetch(`${control}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${access}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  };
}

/** Fixed work of the kind that is measured: text to values and back, hashes of it, and garbage. */
function measureUnit(): Unit {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({
    id,
    name: `Row ${id}`,
    list: [id, 'x', null],
  }));
  const startMs = performance.now();
  const before = process.cpuUsage();
  let text = JSON.stringify(rows);
  for (let round = 0; round < UNIT_ROUNDS; round += 1) {
    const read: readonly object[] = JSON.parse(text);
    text = JSON.stringify(read.map((row) => ({ ...row })));
    createHash('sha256').update(text).digest('hex');
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  const slowdown = (performance.now() - startMs) / 1_000 / cpu;
  console.log(
    `(a unit is ${cpu.toFixed(2)} s of CPU, and took ${slowdown.toFixed(1)} times as long)`,
  );
  return { cpuS: cpu, slowdown };
}

function cpuS(pids: readonly number[]): number {
  return cpuTicksOf(pids) / TICKS_A_SECOND;
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_000;
}
