import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CertificateRegister } from './certificate-register.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function host(demandPartnerId: number, hostname: string) {
  return { demandPartnerId, of: `bidder of P${demandPartnerId}`, hostname, port: 443 };
}

/** A register over hosts whose certificates a test holds, by name; null cannot be asked. */
function registerOf(valid: Record<string, number | null>, hosts = [host(1001, 'a.example')]) {
  const asked: string[] = [];
  const state = { nowMs: NOON_MS, hosts, asked };
  const register = new CertificateRegister({
    lists: [async () => state.hosts],
    read: async ({ hostname }) => {
      state.asked.push(hostname);
      return valid[hostname] ?? null;
    },
    warnDays: 14,
    now: () => state.nowMs,
  });
  return {
    state,
    look: async () => {
      await register.look(new AbortController().signal);
      const found = register.certificates.map(({ host: of, state: is }) => `${of} ${is}`);
      return { found, asked: state.asked.splice(0) };
    },
  };
}

test('a certificate expires from two weeks before its end, and is well after it was renewed', async () => {
  const valid = { 'a.example': NOON_MS + 15 * DAY_MS };
  const { state, look } = registerOf(valid);
  assert.deepEqual((await look()).found, ['a.example:443 valid']);
  state.nowMs += DAY_MS;
  assert.deepEqual((await look()).found, ['a.example:443 expiring']);
  state.nowMs += 14 * DAY_MS;
  assert.deepEqual((await look()).found, ['a.example:443 expired']);
  valid['a.example'] = state.nowMs + 90 * DAY_MS;
  assert.deepEqual((await look()).found, ['a.example:443 valid'], 'at the next look');
});

test('what is well is left alone for a while, and what cannot be asked stays as it was seen', async () => {
  const valid: Record<string, number | null> = {
    'a.example': NOON_MS + 90 * DAY_MS,
    'b.example': NOON_MS + DAY_MS,
    'c.example': null,
  };
  const hosts = Object.keys(valid).map((name, index) => host(1001 + index, name));
  const { state, look } = registerOf(valid, hosts);
  const all = ['a.example:443 valid', 'b.example:443 expiring', 'c.example:443 unknown'];
  assert.deepEqual(await look(), { found: all, asked: ['a.example', 'b.example', 'c.example'] });
  valid['b.example'] = null;
  state.nowMs += MINUTE_MS;
  assert.deepEqual(await look(), { found: all, asked: ['b.example', 'c.example'] });
  state.nowMs += 15 * MINUTE_MS;
  assert.equal((await look()).asked.length, 3);
  state.hosts = hosts.slice(0, 1);
  assert.deepEqual((await look()).found, ['a.example:443 valid'], 'a bidder that is gone');
});

test('hosts that hang delay no warning of others, and a look can be ended', async () => {
  const silent = Array.from({ length: 7 }, (_, index) => host(2001 + index, 'silent.example'));
  const stopping = new AbortController();
  let asked = 0;
  const lastAsked = Promise.withResolvers<void>();
  const register = new CertificateRegister({
    lists: [async () => [...silent, host(1001, 'a.example'), host(1002, 'b.example'), ...silent]],
    read: async ({ hostname }, signal) => {
      asked += 1;
      if (hostname !== 'silent.example') return NOON_MS;
      if (asked === 10) lastAsked.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    },
    warnDays: 14,
    now: () => NOON_MS,
  });
  const looking = register.look(stopping.signal);
  await lastAsked.promise;
  const expired = register.certificates.filter(({ state }) => state === 'expired');
  assert.deepEqual(
    expired.map(({ host: of }) => of),
    ['a.example:443', 'b.example:443'],
  );
  stopping.abort();
  await looking;
  assert.equal(asked, 10, 'nobody is asked afterwards');
});
