import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { BidRequest } from '../src/openrtb/bid-request.ts';
import type { BidResponse } from '../src/openrtb/bid-response.ts';
import { decideBids } from './bids.ts';
import { decodeBidRequest } from './decode.ts';
import { chooseFault, faultyBody, isBodyFault, type Fault } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { MatchService } from './match-service.ts';
import { NoticeService } from './notice-service.ts';
import type { BidderProfile } from './profile.ts';
import type { Random } from './random.ts';
import { after, compressed, sendAnswer, sendFault, type Answer } from './wire.ts';

/** An exact answer, a fault, or what the bidder would have done by itself. */
export type Scripted =
  | (Answer & { readonly delayMs?: number })
  | { readonly fault: Fault }
  | 'default';

/** Decides the answer to one bid request in a test. */
export type Script = (request: BidRequest) => Scripted;

/** The largest body that is read, in bytes. */
const BODY_MAX_BYTES = 1024 * 1024;

/** The share of no-bids that say why (`nbr`) instead of 204. */
const NBR_RATE = 0.1;

const JSON_HEADERS = { 'content-type': 'application/json', 'x-openrtb-version': '2.5' };

/** What happens in a bidder between the arrival of a request and its answer. */
export class Service {
  /** Where the bidder listens; known once it does. */
  origin = '';
  script: Script = () => 'default';
  readonly notices: NoticeService;
  readonly matches: MatchService;
  readonly #profile: BidderProfile;
  readonly #random: Random;
  readonly #ledger: Ledger;

  constructor(profile: BidderProfile, random: Random, ledger: Ledger) {
    this.#profile = profile;
    this.#random = random;
    this.#ledger = ledger;
    this.notices = new NoticeService(profile, random, ledger);
    this.matches = new MatchService(profile.name);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.once('end', () => {
      const path = request.url ?? '/';
      if (path.startsWith('/notice/')) this.notices.serve(request, response, this.origin);
      else if (path.startsWith('/match?')) this.matches.serve(request, response);
      else if (path === '/bid') this.#bid(request, response, Buffer.concat(chunks));
      else sendAnswer(response, { status: 404 });
    });
  }

  #bid({ headers }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { counts, requests } = this.#ledger;
    const request = decodeBidRequest(textOf(body, headers['content-encoding']));
    if (request === undefined) {
      counts.unreadable += 1;
      return sendAnswer(response, { status: 400 });
    }
    counts.requests += 1;
    const sequence = counts.requests;
    requests.add({ sequence, headers, request });
    const scripted = this.script(request);
    if (scripted !== 'default' && !('fault' in scripted)) {
      counts.scripted += 1;
      return after(response, scripted.delayMs ?? 0, () => sendAnswer(response, scripted));
    }
    // Each has a stream of its own: other fault rates leave prices and latencies as they were.
    const random = this.#random.fork(sequence);
    const drawn = chooseFault(this.#profile.faults, random.fork('fault'));
    const fault = scripted === 'default' ? drawn : scripted.fault;
    const delayMs = this.#delayMs(request, fault, random.fork('latency'));
    const answer = this.#answer(request, fault, random.fork('bids'));
    return after(response, delayMs, () => {
      if (fault !== undefined && !isBodyFault(fault)) return sendFault(fault, response, answer);
      const packs = this.#profile.gzip && answer.status !== 204 && acceptsGzip(headers);
      return sendAnswer(response, packs ? compressed(answer) : answer);
    });
  }

  #delayMs({ tmax = 200 }: BidRequest, fault: Fault | undefined, random: Random): number {
    const { medianMs, spread, maxMs } = this.#profile.latency;
    const thinkingMs = Math.min(maxMs, random.logNormal(medianMs, spread));
    return fault === 'late' ? tmax + random.integer(50, 150) : thinkingMs;
  }

  /** What the bidder decides, spoiled where the fault is one of the bids; counts both. */
  #answer(request: BidRequest, fault: Fault | undefined, random: Random): Answer {
    const { counts } = this.#ledger;
    const decided = decideBids(request, {
      profile: this.#profile,
      random,
      sequence: counts.requests,
      origin: this.origin,
      eager: fault !== undefined,
    });
    const spoils = fault !== undefined && isBodyFault(fault);
    if (fault !== undefined && (decided !== undefined || !spoils)) {
      counts.faults[fault] = (counts.faults[fault] ?? 0) + 1;
    }
    if (decided === undefined) {
      counts.noBids += 1;
      // A fault of the wire needs something to send; without one most no-bids are silent.
      const speaks = (fault !== undefined && !spoils) || random.chance(NBR_RATE);
      if (!speaks) return { status: 204 };
      const nbr = random.pick([0, 6, 7, 8]);
      return { headers: JSON_HEADERS, body: JSON.stringify({ id: request.id, nbr }) };
    }
    for (const { bid } of decided.seatbid ?? []) counts.bids += bid.length;
    const sound =
      this.#profile.markup === 'notice' ? this.#withholdMarkup(decided, fault) : decided;
    const body = spoils ? faultyBody(fault, sound) : JSON.stringify(sound);
    return { headers: JSON_HEADERS, body };
  }

  /** Takes the markup out of the bids and keeps it for their win notices. */
  #withholdMarkup(response: BidResponse, fault: Fault | undefined): BidResponse {
    const seatbid = (response.seatbid ?? []).map((seat) => ({
      ...seat,
      bid: seat.bid.map(({ adm, ...bid }) => {
        if (adm !== undefined && fault !== 'noMarkup') this.notices.keepMarkup(bid.id, adm);
        return bid;
      }),
    }));
    return { ...response, seatbid };
  }
}

function textOf(body: Buffer, encoding: string | undefined): string {
  if (encoding !== 'gzip') return body.toString();
  try {
    return gunzipSync(body, { maxOutputLength: BODY_MAX_BYTES }).toString();
  } catch {
    // What does not unpack is no bid request, and is answered like any other.
    return '';
  }
}

function acceptsGzip(headers: IncomingMessage['headers']): boolean {
  return /\bgzip\b/.test(headers['accept-encoding'] ?? '');
}
