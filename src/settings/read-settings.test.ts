import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readSettings } from './read-settings.ts';
import { SETTINGS, type Settings } from './settings.ts';

function settingsOf(flags: Record<string, string>, environment: Record<string, string>): Settings {
  const read = readSettings(flags, environment);
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'));
  return read.settings;
}

function problemsOf(
  flags: Record<string, string>,
  environment: Record<string, string> = {},
): readonly string[] {
  const read = readSettings(flags, environment);
  assert.ok(!read.ok);
  return read.problems;
}

test('without flags and environment every default holds', () => {
  const settings = settingsOf({}, {});
  assert.equal(settings.dataDirectory, resolve('data'));
  assert.deepEqual(settings.roles, ['control', 'courier', 'tracker', 'exchange']);
  assert.ok(settings.workers >= 1);
  assert.equal(settings.controlPort, 8080);
  assert.equal(settings.exchangePort, 8081);
  assert.equal(settings.trackerPort, 8082);
  assert.equal(settings.internalPort, 0);
  assert.equal(settings.internalHost, '127.0.0.1');
  assert.equal(settings.applyFile, null);
  assert.equal(settings.logLevel, 'info');
});

test('a flag beats the environment, and an empty variable is an unset one', () => {
  const settings = settingsOf(
    { '--exchange-port': '9001' },
    { RIALTO_EXCHANGE_PORT: '9002', RIALTO_CONTROL_PORT: '9003', RIALTO_WORKERS: '' },
  );
  assert.equal(settings.exchangePort, 9001);
  assert.equal(settings.controlPort, 9003);
  assert.ok(settings.workers >= 1);
});

test('all wrong values are told together, each with where it came from', () => {
  assert.deepEqual(
    problemsOf({ '--workers': 'many', '--roles': 'bidder' }, { RIALTO_HOST: 'here' }),
    [
      '--roles is "bidder", but must be among control, courier, tracker, exchange, and "bidder" is none of them',
      '--workers is "many", but must be a number from 1 to 256, or auto',
      'RIALTO_HOST is "here", but must be an IP address such as 0.0.0.0 or 127.0.0.1',
    ],
  );
});

test('a secret that is not accepted is not repeated', () => {
  const [problem] = problemsOf({}, { RIALTO_INTERNAL_SECRET: 'short' });
  assert.match(problem ?? '', /^RIALTO_INTERNAL_SECRET must be at least 16 /);
});

test('the address of a database is one, and is not repeated when it is wrong: it holds a password', () => {
  const url = 'postgresql://rialto:hush@db.example:5432/rialto?sslmode=verify-full';
  assert.equal(settingsOf({}, { RIALTO_DATABASE_URL: url }).databaseUrl, url);
  const socket = 'postgres:///rialto?host=/run/postgresql';
  assert.equal(settingsOf({}, { RIALTO_DATABASE_URL: socket }).databaseUrl, socket);
  assert.equal(settingsOf({}, {}).databaseUrl, null);
  for (const wrong of [
    'mysql://a:hush@b/c',
    'hush',
    'postgresql://a:hush@b',
    'postgresql:///hush',
  ]) {
    assert.deepEqual(problemsOf({}, { RIALTO_DATABASE_URL: wrong }), [
      'RIALTO_DATABASE_URL must be an address such as postgresql://user:password@192.0.2.7:5432/rialto',
    ]);
  }
});

test('the controls that a courier may ask are a list, in its order, each once', () => {
  const list = 'http://192.0.2.7:9000/, http://192.0.2.8:9000,http://192.0.2.7:9000';
  assert.deepEqual(settingsOf({ '--internal-url': list }, {}).internalUrls, [
    'http://192.0.2.7:9000',
    'http://192.0.2.8:9000',
  ]);
  assert.deepEqual(settingsOf({}, {}).internalUrls, []);
  const [problem] = problemsOf({ '--internal-url': 'http://192.0.2.7:9000,nowhere' });
  assert.match(problem ?? '', /^--internal-url is ".*,nowhere", but must be an address such as/);
});

test('a courier without control is told which two settings it needs', () => {
  const problems = problemsOf({ '--roles': 'courier,tracker,exchange' });
  assert.equal(problems.length, 2);
  assert.match(problems[0] ?? '', /--internal-url \(RIALTO_INTERNAL_URL\)/);
  assert.match(problems[1] ?? '', /RIALTO_INTERNAL_SECRET/);
});

test('an exchange is told which roles it needs beside it', () => {
  const [problem, ...others] = problemsOf({ '--roles': 'control,exchange' });
  assert.match(problem ?? '', /^an exchange needs courier and tracker on its node/);
  assert.deepEqual(others, []);
});

test('a file cannot be applied on a node without control', () => {
  const environment = {
    RIALTO_INTERNAL_URL: 'http://192.0.2.1:9000',
    RIALTO_INTERNAL_SECRET: '0123456789abcdef',
  };
  settingsOf({ '--roles': 'courier,tracker,exchange' }, environment);
  const problems = problemsOf(
    { '--roles': 'courier,tracker,exchange', '--apply': 'f.yaml' },
    environment,
  );
  assert.deepEqual(problems, ['--apply (RIALTO_APPLY) needs the role control on this node']);
});

test('two roles cannot have one port, except a free one each', () => {
  assert.deepEqual(problemsOf({ '--exchange-port': '8080' }), [
    '--control-port (RIALTO_CONTROL_PORT) and --exchange-port (RIALTO_EXCHANGE_PORT) are both 8080; each needs its own',
  ]);
  assert.equal(problemsOf({ '--tracker-port': '8081' }).length, 1);
  settingsOf({ '--exchange-port': '0', '--control-port': '0', '--tracker-port': '0' }, {});
});

test('every option has a flag, a variable and a description of its own', () => {
  const rows = Object.values(SETTINGS);
  for (const { flag, environment, description } of rows) {
    assert.match(flag ?? '--secret', /^--[a-z]+(-[a-z]+)*$/);
    assert.match(environment, /^RIALTO_[A-Z]+(_[A-Z]+)*$/);
    assert.ok(description.length > 10);
  }
  assert.equal(new Set(rows.map((row) => row.environment)).size, rows.length);
});

test('a mail server has a sender, and a password goes by TLS alone and comes from a file', () => {
  const server = { '--smtp-host': 'mail.example', '--smtp-from': 'rialto@exchange.example' };
  const { smtpPort, smtpTls, smtpUser } = settingsOf(server, {});
  assert.deepEqual([smtpPort, smtpTls, smtpUser], [587, 'starttls', null]);
  assert.deepEqual(problemsOf({ '--smtp-host': 'mail.example' }), [
    'a mail server needs --smtp-from (RIALTO_SMTP_FROM), the address that mail comes from',
  ]);
  assert.deepEqual(problemsOf({ ...server, '--smtp-user': 'u' }), [
    '--smtp-user (RIALTO_SMTP_USER) and RIALTO_SMTP_PASSWORD_FILE go together',
  ]);
  const signedIn = { ...server, '--smtp-user': 'u' };
  const file = { RIALTO_SMTP_PASSWORD_FILE: 'secret' };
  assert.equal(settingsOf(signedIn, file).smtpPasswordFile, resolve('secret'));
  assert.deepEqual(problemsOf({ ...signedIn, '--smtp-tls': 'off' }, file), [
    '--smtp-tls (RIALTO_SMTP_TLS) is off, which would show the password to the network',
  ]);
  const from = 'a@b.example, c@d.example';
  assert.match(problemsOf({ ...server, '--smtp-from': from })[0] ?? '', /^--smtp-from is /);
});
