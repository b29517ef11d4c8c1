import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GuessThrottle, networkOf } from './guess-throttle.ts';

/** Tries a wrong secret as often as it may; gives how many of the tries were made. */
function guess(throttle: GuessThrottle, [clientId, network]: [string, string], tries: number) {
  let made = 0;
  for (let index = 0; index < tries; index += 1) {
    if (throttle.waitMs({ clientId, network }, 0) > 0) continue;
    throttle.take({ clientId, network }, 0);
    made += 1;
  }
  return made;
}

test('ten wrong secrets for a client from one address, then one in ten seconds', () => {
  const throttle = new GuessThrottle();
  const attempt = { clientId: 'acme', network: '192.0.2.1' };
  assert.equal(guess(throttle, ['acme', '192.0.2.1'], 1_000), 10);
  assert.equal(throttle.waitMs(attempt, 0), 10_000);
  assert.equal(throttle.waitMs(attempt, 10_000), 0);
});

test('an address that tries client after client is stopped after fifty', () => {
  const throttle = new GuessThrottle();
  let made = 0;
  for (let index = 0; index < 100; index += 1) {
    made += guess(throttle, [`client-${index}`, '192.0.2.1'], 1);
  }
  assert.equal(made, 50);
  assert.equal(throttle.waitMs({ clientId: 'acme', network: '192.0.2.2' }, 0), 0);
});

test('one misconfigured program does not use up the allowance of its neighbours at the address', () => {
  const throttle = new GuessThrottle();
  guess(throttle, ['acme', '192.0.2.1'], 1_000);
  assert.equal(throttle.waitMs({ clientId: 'bolt', network: '192.0.2.1' }, 0), 0);
});

test("one stranger's wrong secrets keep nobody at another address waiting", () => {
  const throttle = new GuessThrottle();
  guess(throttle, ['acme', '192.0.2.1'], 1_000);
  assert.equal(throttle.waitMs({ clientId: 'acme', network: '192.0.2.2' }, 0), 0);
});

test('guesses from many addresses come to an end, for all but addresses known to be the client’s', () => {
  const throttle = new GuessThrottle();
  const own = { clientId: 'acme', network: '198.51.100.1' };
  throttle.noteRight(own, 0);
  let made = 0;
  for (let index = 0; index < 1_000; index += 1) {
    made += guess(throttle, ['acme', `address-${index}`], 10);
  }
  assert.equal(made, 100);
  assert.equal(throttle.waitMs({ clientId: 'acme', network: '192.0.2.99' }, 0), 1_000);
  assert.equal(throttle.waitMs(own, 0), 0);
  assert.equal(guess(throttle, ['acme', own.network], 1_000), 10, 'it has its own allowance');
  assert.equal(guess(throttle, ['bolt', own.network], 1_000), 10, 'and is a stranger to others');
});

test('an address that was known is a stranger again after a day', () => {
  const throttle = new GuessThrottle();
  const own = { clientId: 'acme', network: '198.51.100.1' };
  throttle.noteRight(own, 0);
  const laterMs = 86_400_000;
  for (let index = 0; index < 100; index += 1) {
    throttle.take({ clientId: 'acme', network: `address-${index}` }, laterMs);
  }
  assert.equal(throttle.waitMs(own, laterMs - 1), 0);
  assert.ok(throttle.waitMs(own, laterMs) > 0);
});

test('what was taken back did not count', () => {
  const throttle = new GuessThrottle();
  const attempt = { clientId: 'acme', network: '192.0.2.1' };
  for (let index = 0; index < 1_000; index += 1) {
    assert.equal(throttle.waitMs(attempt, 0), 0);
    throttle.take(attempt, 0)();
  }
});

test('addresses count by what one party has of them', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  assert.equal(networkOf(null), networkOf('no address'));
});
