import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyAnalytics } from '../support/analytics-store.ts';
import { startNode, type StartedNode } from '../support/node.ts';
import { patienceMs, until } from '../support/wait.ts';

const LINK =
  /Create the first operator[^]*\n {2}(http:\/\/localhost:\d+(\/v2\/auth\/link\/\?token=rialto_link_[\w-]{43}))\n/;

/** The link that a node has printed, at the address by which this machine reaches it. */
function linkOf(node: StartedNode): string {
  const [, , path] = LINK.exec(node.output()) ?? [];
  assert.ok(path !== undefined, 'a link is printed');
  return `${node.urls.control}${path}`;
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs(5_000)), ...init });
  await answer.body?.cancel();
  return answer.status;
}

test('a node without an operator prints a link; the next start another one, until there is one', async (t) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-first-'));
  t.after(() => rmSync(dataDirectory, { recursive: true }));
  await copyAnalytics(join(dataDirectory, 'analytics'));
  const options = { t, dataDirectory, args: ['--roles=control'] };
  const first = await startNode(options);
  const older = new URL(linkOf(first)).searchParams.get('token') ?? '';
  assert.equal(await statusOf(linkOf(first)), 200);
  await first.stop();

  const second = await startNode(options);
  const link = linkOf(second);
  assert.equal(await statusOf(link.replace(/rialto_link_.*/, older)), 410);
  const [killed] = second.kill('control');
  await until('control runs again', 10_000, () => {
    const [pid] = second.pids('control');
    return pid !== undefined && pid !== killed;
  });
  assert.equal(await statusOf(link), 200, 'a control that was replaced leaves the link alone');
  const token = new URL(link).searchParams.get('token') ?? '';
  const password = 'chosen by the first operator';
  const body = new URLSearchParams({ token, email: 'ops@example.com', password, again: password });
  const page = `${second.urls.control}/v2/auth/link/`;
  assert.equal(await statusOf(page, { method: 'POST', body }), 200);
  assert.equal(await statusOf(link), 410);
  await second.stop();

  const third = await startNode(options);
  assert.doesNotMatch(third.output(), /rialto_link_|first operator/);
  const logs = [second.output(), third.output()].join('').replace(LINK, '');
  assert.ok(!logs.includes(token) && !logs.includes(password));
  await third.stop();
});
