import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalOperator } from './local-operator.ts';

const HERE = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', isForwarded: false };

test('the local token lets an operator in from the machine itself, and is another at each start', () => {
  const local = new LocalOperator();
  for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const caller = local.findCaller(local.token, { ...HERE, remoteAddress });
    assert.deepEqual([caller?.email, caller?.role], ['local', 'operator']);
  }
  const own = { ...HERE, remoteAddress: '10.0.0.5', localAddress: '10.0.0.5' };
  assert.equal(
    local.findCaller(local.token, own)?.email,
    'local',
    'control listens at one address',
  );
  assert.equal(local.findCaller(new LocalOperator().token, HERE), null);
  assert.equal(local.findCaller('', HERE), null);
});

test('the local token is refused from elsewhere, and through a proxy', () => {
  const local = new LocalOperator();
  for (const remoteAddress of ['10.0.0.7', '::ffff:10.0.0.7', '2001:db8::1', undefined]) {
    assert.equal(local.findCaller(local.token, { ...HERE, remoteAddress }), null);
  }
  assert.equal(local.findCaller(local.token, { ...HERE, isForwarded: true }), null);
});
