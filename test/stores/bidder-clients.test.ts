import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createBidderHttpClient } from '../../src/adapters/bidder-http.ts';
import { AnswerReader } from '../../src/adapters/bidder-socket-answer.ts';
import { createBidderSocketClient } from '../../src/adapters/bidder-socket.ts';
import type { BidderClient, BidderReply } from '../../src/ports/bidder-client.ts';
import { createRandom } from '../../sim/random.ts';
import { effort, SEED } from '../support/effort.ts';
import { mangledAnswer, type MangledAnswer } from '../support/mangled-answers.ts';

/*
 * The client on sockets against the one over undici: seeded answers, sound and mangled, come whole, in
 * pieces and byte by byte, and both must end alike. Where they may differ, the table says which of them
 * is the stricter, and about what.
 */
const ANSWERS = effort(1_500, 1_000_000);
const ANSWER_BYTES_MAX = 2_000;
/** Answers under way at a time. */
const LANES = 24;

interface Difference {
  readonly stricter: 'sockets' | 'undici';
  readonly about: string;
  /** What the stricter one calls it. */
  readonly code: RegExp;
  /** What must be found in the heads of the interim answers, or in what follows them. */
  readonly interims?: RegExp;
  readonly answer?: RegExp;
}

const DIFFERENCES: readonly Difference[] = [
  {
    stricter: 'sockets',
    about: 'a body that ends with the connection, having neither a length nor chunks',
    code: /^ERR_ANSWER_LENGTH$/,
    answer: /^(?:(?!\r\n\r\n|\ncontent-length:|\ntransfer-encoding:)[^])*\r\n\r\n/i,
  },
  {
    stricter: 'sockets',
    about: 'a transfer coding other than chunked, with a blank behind it, or one more',
    code: /^ERR_ANSWER_LENGTH$/,
    answer: /\ntransfer-encoding:(?:(?![\t ]*chunked\r)|[^]*\ntransfer-encoding:)/i,
  },
  {
    stricter: 'sockets',
    about: 'chunks in HTTP/1.0',
    code: /^ERR_ANSWER_LENGTH$/,
    answer: /^HTTP\/1\.0[^]*\ntransfer-encoding:/i,
  },
  {
    stricter: 'sockets',
    about: 'more than five interim answers',
    code: /^ERR_ANSWER_INTERIM$/,
    interims: /(?:HTTP\/[^]*){6}/,
  },
  {
    stricter: 'sockets',
    about: 'an interim answer with a length or a transfer coding',
    code: /^ERR_ANSWER_(?:INTERIM|LENGTH)$/,
    interims: /\n(?:content-length|transfer-encoding):/i,
  },
  {
    stricter: 'sockets',
    about: 'control characters in the reason of a status',
    code: /^ERR_ANSWER_STATUS_LINE$/,
    // oxlint-disable-next-line no-control-regex
    answer: /^HTTP\/1\.\d \d{3}[^\r\n]*[\0-\x08\x0b-\x1f\x7f]/,
  },
  {
    stricter: 'sockets',
    about: 'a version other than 1.0 and 1.1, or a status below 100',
    code: /^ERR_ANSWER_STATUS_LINE$/,
    answer: /^HTTP\/(?!1\.[01] [1-9])/,
  },
  {
    stricter: 'sockets',
    about: 'the size of a chunk in more than eight digits',
    code: /^ERR_ANSWER_CHUNK$/,
    answer: /\n[\da-f]{9}/i,
  },
  {
    stricter: 'sockets',
    about: 'empty lines before the status line',
    code: /^ERR_ANSWER_STATUS_LINE$/,
    answer: /^[\r\n]/,
  },
  {
    stricter: 'sockets',
    about: 'a length of more than twelve digits',
    code: /^ERR_ANSWER_LENGTH$/,
    answer: /\ncontent-length:[\t ]*\d{13}/i,
  },
  {
    stricter: 'undici',
    about: 'blanks behind a value, which are no part of it',
    code: /^(?:UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HTTPParserError|ERR_CONTENT_ENCODING)$/,
    answer: /\ncontent-(?:length|encoding):[^\r]*[\t ]\r/i,
  },
  {
    stricter: 'undici',
    about: '100 Continue, which nobody asked for',
    code: /^UND_ERR_SOCKET$/,
    interims: /HTTP\/1\.\d 100/,
  },
  {
    stricter: 'undici',
    about: 'how the extension of a chunk is written, which nobody reads',
    code: /^HTTPParserError$/,
    answer: /\ntransfer-encoding:[^]*;/i,
  },
];

interface Lane extends MangledAnswer {
  /** The connections that it was sent on have ended. */
  readonly gone: Promise<unknown>[];
}

/** One of each lane, so that none meets what was sent on another's connections. */
let servers: Server[] = [];
const lanes: Lane[] = [];

before(async () => {
  servers = Array.from({ length: LANES }, (_, lane) => startServer(lane));
  await Promise.all(servers.map((server) => once(server, 'listening')));
});
after(() => {
  for (const server of servers) server.close();
});

function startServer(index: number): Server {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const lane = lanes[index];
      assert.ok(lane !== undefined);
      lane.gone.push(once(socket, 'close'));
      sendPieces(socket, lane, 0);
    });
  });
  return server.listen(0, '127.0.0.1');
}

function endpointOf(lane: number): string {
  const address = servers[lane]?.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}/bid`;
}

/** A piece with each turn of the event loop, and the end of the connection with the last. */
function sendPieces(socket: Socket, lane: Lane, index: number): void {
  const { bytes, cuts } = lane;
  const piece = bytes.subarray(index === 0 ? 0 : cuts[index - 1], cuts[index]);
  if (index === cuts.length) {
    socket.end(piece);
    return;
  }
  socket.write(piece);
  setImmediate(() => sendPieces(socket, lane, index + 1));
}

test('both clients make the same of an answer, however it is mangled and cut', async () => {
  const options = {
    isAddressAllowed: () => true,
    connectionsMax: 4,
    inFlightMax: 4,
    responseBytesMax: ANSWER_BYTES_MAX,
    lateGraceMs: 1,
    now: () => performance.now(),
  };
  const sockets = createBidderSocketClient(options);
  const undici = createBidderHttpClient(options);
  const counts = new Map<string, number>();
  const count = (what: string): unknown => counts.set(what, 1 + (counts.get(what) ?? 0));
  const run = async (lane: number): Promise<void> => {
    const endpoint = endpointOf(lane);
    for (let index = lane; index < ANSWERS; index += LANES) {
      const answer = mangledAnswer(createRandom(`${SEED} ${index}`));
      const gone: Lane['gone'] = [];
      lanes[lane] = { ...answer, gone };
      // Lanes run beside each other, the answers of one after one another.
      // oxlint-disable-next-line no-await-in-loop
      const [ours, theirs] = await Promise.all([ask(sockets, endpoint), ask(undici, endpoint)]);
      // oxlint-disable-next-line no-await-in-loop
      await Promise.all(gone);
      if (ending(ours) === ending(theirs)) count(ours.kind);
      else count(differenceOf(answer.bytes, ours, theirs, `answer ${index} of seed ${SEED}`));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => run(lane)));
  await Promise.all([sockets.close(), undici.close()]);
  console.log(Object.fromEntries(counts));
  for (const kind of ['answer', 'error', 'oversized']) assert.ok((counts.get(kind) ?? 0) > 0, kind);
});

/** The heads of the interim answers, with their empty lines. */
const INTERIMS = /^(?:HTTP\/1\.\d 1\d\d(?:(?!\r\n\r\n)[^])*\r\n\r\n)*/;

/** What the two differ about. @throws AssertionError where the table has nothing of it. */
function differenceOf(bytes: Buffer, ours: BidderReply, theirs: BidderReply, name: string): string {
  const text = bytes.toString('latin1');
  const [interims = ''] = INTERIMS.exec(text) ?? [];
  const answer = text.slice(interims.length);
  const found = DIFFERENCES.find((each) => {
    const strict = each.stricter === 'sockets' ? ours : theirs;
    if (strict.kind !== 'error' || !each.code.test(strict.code)) return false;
    return (each.interims?.test(interims) ?? true) && (each.answer?.test(answer) ?? true);
  });
  const replies = { sockets: ours, undici: theirs };
  assert.ok(found !== undefined, `${name}: ${JSON.stringify({ text, ...replies }, null, 2)}`);
  return `${found.stricter}: ${found.about}`;
}

/** All errors end a call alike. */
function ending(reply: BidderReply): string {
  return reply.kind === 'error' ? 'error' : JSON.stringify(reply);
}

function ask(client: BidderClient, endpoint: string): Promise<BidderReply> {
  return new Promise((resolve) => {
    const deadlineMs = performance.now() + 60_000;
    const call = { endpoint, body: '{}', headers: null, gzip: false, inFlightMax: null };
    client.ask({ ...call, openrtbVersion: '2.5', deadlineMs }, resolve);
  });
}

test('an answer reads the same whole, cut and byte by byte', () => {
  for (let index = 0; index < ANSWERS; index += 1) {
    const { bytes, cuts } = mangledAnswer(createRandom(`${SEED} ${index}`));
    const whole = readIn(bytes, []);
    assert.deepEqual(readIn(bytes, cuts), whole, `answer ${index} of seed ${SEED}`);
    const each = Array.from({ length: bytes.length }, (_, at) => at + 1);
    assert.deepEqual(readIn(bytes, each), whole, `answer ${index} of seed ${SEED}`);
  }
});

/** What a reader makes of an answer that comes in pieces. */
function readIn(bytes: Buffer, cuts: readonly number[]): unknown {
  const pieces: string[] = [];
  let status = 0;
  const reader = new AnswerReader({
    onHead: () => {
      ({ status } = reader);
      return true;
    },
    onBody: (piece) => pieces.push(piece.toString('latin1')) > 0,
  });
  let read = 0;
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(from, to));
    from = to;
    if (piece.length === 0) continue;
    read += reader.read(piece, piece.length);
    if (reader.fault !== null || reader.isComplete) break;
  }
  // One that is broken is found out in this line or the next.
  if (!reader.isComplete) return 'nothing';
  const { isPersistent, contentCoding } = reader;
  return { read, isPersistent, contentCoding, status, body: pieces.join('') };
}
