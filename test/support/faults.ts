import assert from 'node:assert/strict';
import { copyFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../sim/random.ts';
import { ROLE_NAMES } from '../../src/settings/settings.ts';
import type { FaultyNode } from './faulty-node.ts';
import type { OwnDisk } from './own-disk.ts';
import { stillRunning } from './processes.ts';
import { until } from './wait.ts';

const KNOWN_MS = 30_000;
const PAGE = Buffer.alloc(1024 * 1024);

/** Something that happens to a node, and ends. */
export interface Fault {
  readonly name: string;
  /** @returns when the fault ended, by `performance.now()`: from then on the node has to come back. */
  inject(faulty: FaultyNode, random: Random): Promise<number>;
}

/** Every fault that a node comes back from, without a record lost or counted twice. */
export const FAULTS: readonly Fault[] = [
  ...ROLE_NAMES.map((role): Fault => ({
    name: `${role} killed`,
    inject: async ({ node }, random) => {
      await delay(random.integer(0, 1_000));
      const pids = node.kill(role);
      await until('it has ended', KNOWN_MS, () => stillRunning(pids).length === 0);
      return performance.now();
    },
  })),
  ...ROLE_NAMES.map((role): Fault => ({
    name: `${role} stopped for a while`,
    inject: async ({ node }, random) => {
      const pids = node.kill(role, 'SIGSTOP');
      await delay(random.integer(500, 4_000));
      for (const { pid } of stillRunning(pids)) process.kill(pid, 'SIGCONT');
      return performance.now();
    },
  })),
  {
    name: 'supervisor killed, others stopped',
    inject: async (faulty, random) => {
      const stopped = ROLE_NAMES.filter(() => random.chance(0.4));
      for (const role of stopped) faulty.node.kill(role, 'SIGSTOP');
      faulty.node.kill('supervisor');
      await faulty.node.exited;
      return restarted(faulty);
    },
  },
  {
    name: 'exchange replaced ten times',
    inject: async ({ node, requests }) => {
      const failed = [...requests.failures.values()].reduce((sum, count) => sum + count, 0);
      for (let times = 0; times < 10; times += 1) {
        const before = node.pids('exchange');
        process.kill(node.pid, 'SIGUSR2');
        await until('it is replaced', KNOWN_MS, () => {
          const now = node.pids('exchange');
          return now.length === 1 && !before.includes(now[0] ?? 0);
        });
      }
      const after = [...requests.failures.values()].reduce((sum, count) => sum + count, 0);
      assert.equal(after, failed, 'no request failed');
      return performance.now();
    },
  },
  {
    name: 'configuration store damaged',
    inject: async (faulty) => {
      await faulty.stop();
      const store = join(faulty.files, 'configuration.sqlite');
      faulty.keepCopy(['configuration.sqlite']);
      for (const part of ['-wal', '-shm']) rmSync(`${store}${part}`, { force: true });
      writeFileSync(store, 'this is no database, though long enough');
      await faulty.start();
      assert.equal((await fetch(`${faulty.node.urls.exchange}/readyz`)).status, 200);
      copyFileSync(join(faulty.files, '..', 'kept', 'configuration.sqlite'), store);
      return performance.now();
    },
  },
  {
    name: 'database that never answers',
    inject: async (faulty) => {
      await faulty.stop();
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      assert.ok(typeof address === 'object' && address !== null);
      const RIALTO_DATABASE_URL = `postgresql://rialto:secret@127.0.0.1:${address.port}/rialto`;
      await faulty.start({ env: { RIALTO_DATABASE_URL } });
      assert.equal((await fetch(`${faulty.node.urls.exchange}/readyz`)).status, 200);
      await faulty.stop();
      for (const socket of sockets) socket.destroy();
      silent.close();
      return restarted(faulty);
    },
  },
  ...(['analytics', 'configuration.sqlite'] as const).map((part): Fault => ({
    name: `older copy of ${part}`,
    inject: async (faulty) => {
      await faulty.stop();
      faulty.keepCopy([part]);
      await faulty.start();
      await faulty.serving();
      await faulty.settled();
      await faulty.stop();
      for (const end of ['-wal', '-shm']) {
        rmSync(join(faulty.files, `configuration.sqlite${end}`), { force: true });
      }
      faulty.putBack([part]);
      return reoffered(faulty);
    },
  })),
  {
    name: 'analytics store deleted',
    inject: async (faulty) => {
      await faulty.settled();
      await faulty.stop();
      rmSync(join(faulty.files, 'analytics'), { recursive: true });
      return reoffered(faulty);
    },
  },
];

/** What happens to a disk: it has to be the node's own. Journals of a full one are not kept for long. */
export function diskFaults(disk: OwnDisk): readonly Fault[] {
  return [
    {
      name: 'disk full',
      inject: async (faulty, random) => {
        const { node, files } = faulty;
        const filler = join(files, '..', 'filler');
        // What is acknowledged is removed where there is no room.
        await faulty.settled();
        await faulty.records();
        fill(filler, files);
        await until('the exchange says that it cannot record', KNOWN_MS, async () => {
          return (await fetch(`${node.urls.exchange}/readyz`)).status === 503;
        });
        await delay(random.integer(500, 3_000));
        rmSync(filler);
        return performance.now();
      },
    },
    {
      name: 'start on a read-only file system',
      inject: async (faulty) => {
        await faulty.stop();
        disk.remount('ro');
        await assert.rejects(faulty.start(), /read-only file system/i);
        disk.remount('rw');
        return restarted(faulty);
      },
    },
  ];
}

/** The fault ends with the start. */
async function restarted(faulty: FaultyNode): Promise<number> {
  const endedMs = performance.now();
  await faulty.start();
  return endedMs;
}

/** Starts the node; the fault ends when somebody does what control says. */
async function reoffered(faulty: FaultyNode): Promise<number> {
  await faulty.start();
  await until('control says what to do', KNOWN_MS, () =>
    /run rialto reoffer/.test(faulty.node.output()),
  );
  const endedMs = performance.now();
  const { code, stderr } = await faulty.run('reoffer');
  assert.equal(code, 0, stderr);
  return endedMs;
}

/** Takes all room that there is. */
function fill(path: string, directory: string): void {
  for (;;) {
    const { bavail, bsize } = statfsSync(directory);
    const bytes = Math.min(PAGE.length, bavail * bsize);
    if (bytes === 0) return;
    try {
      writeFileSync(path, PAGE.subarray(0, bytes), { flag: 'a' });
    } catch {
      return;
    }
  }
}
