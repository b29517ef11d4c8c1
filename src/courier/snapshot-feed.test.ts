import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { EXCHANGE } from '../resources/exchange.ts';
import type { ExchangeSettings } from '../snapshot/entities.ts';
import type { SnapshotDelta } from '../snapshot/delta.ts';
import { versionKey, type SnapshotVersion } from '../snapshot/snapshot.ts';
import { encodeSnapshot } from '../snapshot/wire.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts';

const SECRET = '0123456789abcdef';
const SETTINGS: ExchangeSettings = { kind: 'exchange', ...EXCHANGE.entity(EXCHANGE.initial) };

const base = mkdtempSync(join(tmpdir(), 'rialto-feed-'));
after(() => rmSync(base, { recursive: true }));

function snapshotText(seq: number, epoch = 'e', name = 'Rialto'): string {
  return encodeSnapshot({ epoch, seq }, [{ ...SETTINGS, name }]);
}

type Answer = (question: URLSearchParams, response: ServerResponse) => void;

/** A control that answers as the test says, with a log of what it was asked. */
async function startControl(t: TestContext, answer: Answer, port = 0) {
  const questions: string[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', 'http://control');
    assert.equal(url.pathname, '/internal/snapshot');
    assert.equal(request.headers.authorization, `Bearer ${SECRET}`);
    questions.push(`${url.searchParams.get('after')} ${url.searchParams.get('wait_ms') ?? 'long'}`);
    answer(url.searchParams, response);
  };
  const server = createServer(handle).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  t.after(stop);
  return { questions, stop, port: address.port };
}

/** A courier's feed on a fresh data directory, stopped at the end of the test. */
function startFeed(t: TestContext, ports: number | readonly number[], dataDirectory: string) {
  const announced: SnapshotVersion[] = [];
  const deltas: (SnapshotDelta | null)[] = [];
  const answers: boolean[] = [];
  const feed = new SnapshotFeed({
    urls: [ports].flat().map((port) => `http://127.0.0.1:${port}`),
    secret: SECRET,
    dataDirectory,
    logger: pino({ level: 'silent' }),
    onNews: ({ version, delta }) => {
      announced.push(version);
      deltas.push(delta);
    },
    onSettings: () => {},
  });
  feed.start((answered) => answers.push(answered));
  t.after(() => feed.stop());
  return { announced, deltas, answers };
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while (!condition()) {
    assert.ok(performance.now() < deadlineMs, `waited too long until ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

test('a new snapshot is on disk before it is announced, and the next question names it', async (t) => {
  const directory = join(base, 'new');
  const waiting: ServerResponse[] = [];
  const control = await startControl(t, (question, response) => {
    if (question.get('after') === '') response.end(snapshotText(1));
    else waiting.push(response);
  });
  const { announced, answers } = startFeed(t, control.port, directory);
  await until(() => waiting.length === 1, 'the courier asks again');
  assert.deepEqual(announced, [{ epoch: 'e', seq: 1 }]);
  assert.deepEqual(answers, [true]);
  assert.equal(await readSnapshotFile(directory), snapshotText(1));
  waiting[0]?.end(snapshotText(2));
  await until(() => announced.length === 2, 'the second snapshot is announced');
  assert.equal(await readSnapshotFile(directory), snapshotText(2));
  await until(() => waiting.length === 2, 'the courier asks a third time');
  assert.deepEqual(control.questions, [' 0', 'e.1 long', 'e.2 long']);
});

test('a courier that starts again goes on from the version on disk, and announces it once more', async (t) => {
  const directory = join(base, 'resumed');
  await writeSnapshotFile(directory, snapshotText(7));
  const control = await startControl(t, (question, response) => {
    if (question.get('wait_ms') === '0') response.writeHead(304).end();
  });
  const { announced, deltas, answers } = startFeed(t, control.port, directory);
  await until(() => control.questions.length === 2, 'the courier asks again');
  assert.deepEqual(control.questions, ['e.7 0', 'e.7 long']);
  assert.deepEqual(announced, [{ epoch: 'e', seq: 7 }]);
  assert.deepEqual(deltas, [null]);
  assert.deepEqual(answers, [true]);
});

test('what differs from the snapshot on disk is told with the new one', async (t) => {
  const directory = join(base, 'differs');
  const other = snapshotText(2, 'e', 'Other');
  await writeSnapshotFile(directory, snapshotText(1));
  const control = await startControl(t, (question, response) => {
    if (question.get('after') === 'e.1') response.end(other);
  });
  const { announced, deltas } = startFeed(t, control.port, directory);
  await until(() => announced.length === 2, 'it is announced');
  const lineOf = (text: string): string | undefined => text.split('\n')[1];
  assert.deepEqual(deltas[1], {
    base: { epoch: 'e', seq: 1 },
    version: { epoch: 'e', seq: 2 },
    gone: [lineOf(snapshotText(1))],
    came: [lineOf(other)],
  });
});

test('a snapshot on disk that is spoilt meanwhile is replaced, and the whole has to be read', async (t) => {
  const directory = join(base, 'spoilt');
  const waiting: ServerResponse[] = [];
  const control = await startControl(t, (question, response) => {
    if (question.get('after') === '') response.end(snapshotText(1));
    else waiting.push(response);
  });
  const { announced, deltas } = startFeed(t, control.port, directory);
  await until(() => waiting.length === 1, 'the courier asks again');
  await writeSnapshotFile(directory, 'spoilt');
  waiting[0]?.end(snapshotText(2));
  await until(() => announced.length === 2, 'the second snapshot is announced');
  assert.deepEqual(deltas, [null, null]);
  assert.equal(await readSnapshotFile(directory), snapshotText(2));
});

test('a snapshot of another epoch replaces the one on disk, whatever its number', async (t) => {
  const directory = join(base, 'rebuilt');
  await writeSnapshotFile(directory, snapshotText(7, 'old'));
  const control = await startControl(t, (question, response) => {
    if (question.get('after') === 'old.7') response.end(snapshotText(1, 'rebuilt'));
  });
  const { announced, deltas } = startFeed(t, control.port, directory);
  await until(() => announced.length === 2, 'it is announced');
  assert.equal(versionKey(announced[1] ?? { epoch: '', seq: 0 }), 'rebuilt.1');
  assert.deepEqual(deltas, [null, null]);
});

for (const [what, bad] of [
  ['torn', snapshotText(2).slice(0, -5)],
  ['of another schema', snapshotText(2).replace('"schema":1', '"schema":99')],
  ['no snapshot at all', '<html>'],
  ['empty', ''],
] as const) {
  test(`a snapshot that is ${what} is refused and asked for again, the old one stays`, async (t) => {
    const directory = join(base, `bad ${what}`);
    await writeSnapshotFile(directory, snapshotText(1));
    let sound = false;
    const control = await startControl(t, (_question, response) => {
      response.end(sound ? snapshotText(3) : bad);
    });
    const { announced, answers } = startFeed(t, control.port, directory);
    await until(() => answers.length === 2, 'it has been asked for twice');
    assert.deepEqual(answers, [false, false]);
    assert.deepEqual(announced, [{ epoch: 'e', seq: 1 }]);
    assert.equal(await readSnapshotFile(directory), snapshotText(1));
    sound = true;
    await until(() => announced.length > 1, 'a sound one is taken');
  });
}

test('a snapshot on disk that is not whole is replaced as if there were none', async (t) => {
  const directory = join(base, 'corrupt');
  await writeSnapshotFile(directory, snapshotText(1).slice(0, 40));
  const control = await startControl(t, (question, response) => {
    if (question.get('after') === '') response.end(snapshotText(1));
  });
  const { announced } = startFeed(t, control.port, directory);
  await until(() => announced.length === 1, 'it is announced');
  assert.equal(await readSnapshotFile(directory), snapshotText(1));
});

test('while control is away the courier goes on asking, and takes what is new when it is back', async (t) => {
  const directory = join(base, 'away');
  await writeSnapshotFile(directory, snapshotText(1));
  const first = await startControl(t, () => {});
  first.stop();
  const { announced, answers } = startFeed(t, first.port, directory);
  await until(() => answers.length >= 2, 'two questions have failed');
  assert.ok(answers.every((answered) => !answered));
  assert.equal(await readSnapshotFile(directory), snapshotText(1));
  await startControl(
    t,
    (question, response) => {
      if (question.get('after') === 'e.1') response.end(snapshotText(2));
    },
    first.port,
  );
  await until(() => announced.length === 2, 'the new one is announced');
});

test('a refused secret and a failing control are waited out, not hammered', async (t) => {
  const control = await startControl(t, (_question, response) => {
    response.writeHead(control.questions.length % 2 === 0 ? 401 : 500).end('{}');
  });
  const { answers } = startFeed(t, control.port, join(base, 'refused'));
  await until(() => answers.length >= 2, 'two questions have failed');
  assert.ok(control.questions.length <= 4);
});

test('where one control fails the next one is asked, and that one from then on', async (t) => {
  const first = await startControl(t, (_question, response) => {
    response.statusCode = 500;
    response.end();
  });
  const waiting: ServerResponse[] = [];
  const second = await startControl(t, (question, response) => {
    if (question.get('after') === '') response.end(snapshotText(1));
    else waiting.push(response);
  });
  const { announced } = startFeed(t, [first.port, second.port], join(base, 'several'));
  await until(() => waiting.length === 1, 'the second control is asked again');
  assert.deepEqual(announced, [{ epoch: 'e', seq: 1 }]);
  assert.equal(first.questions.length, 1);
  second.stop();
  await until(() => first.questions.length > 1, 'the first one is asked again');
});

test('a feed that is stopped leaves a waiting question at once', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const feed = new SnapshotFeed({
    urls: [`http://127.0.0.1:${address.port}`],
    secret: SECRET,
    dataDirectory: join(base, 'stopped'),
    logger: pino({ level: 'silent' }),
    onNews: () => {},
    onSettings: () => {},
  });
  feed.start(() => {});
  await once(server, 'request');
  await feed.stop();
  server.close();
});
