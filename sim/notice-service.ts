import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ledger } from './ledger.ts';
import {
  REDIRECT_PATH,
  chooseNoticeFault,
  sendNoticeFault,
  type NoticeFailure,
} from './notice-faults.ts';
import { NOTICE_KINDS, type NoticeEntry, type NoticeKind } from './notice-ledger.ts';
import type { BidderProfile } from './profile.ts';
import type { Random } from './random.ts';
import { sendAnswer, type Answer } from './wire.ts';

/** How many markups wait for their win notice; the oldest go first. */
const PENDING_MARKUP_MAX = 10_000;

/** What a bidder does with the notices that it gets. */
export class NoticeService {
  /** What every notice meets now; undefined leaves it to the profile's rates. */
  failure: NoticeFailure | undefined;
  readonly #profile: BidderProfile;
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #pendingMarkup = new Map<string, string>();
  #arrivals = 0;

  constructor(profile: BidderProfile, random: Random, ledger: Ledger) {
    this.#profile = profile;
    this.#random = random;
    this.#ledger = ledger;
  }

  /** Keeps the markup of a bid for the answer to its win notice. */
  keepMarkup(bidId: string, adm: string): void {
    this.#pendingMarkup.set(bidId, adm);
    if (this.#pendingMarkup.size <= PENDING_MARKUP_MAX) return;
    const oldest = this.#pendingMarkup.keys().next();
    if (oldest.done !== true) this.#pendingMarkup.delete(oldest.value);
  }

  /** Takes a notice to the letter, counts it, and answers: 204, the markup, or with a fault. */
  serve(request: IncomingMessage, response: ServerResponse, origin: string): void {
    const { url: path = '/', method = 'GET', headers } = request;
    const { counts, notices, noticeLedger } = this.#ledger;
    const url = new URL(path, origin);
    if (url.pathname === REDIRECT_PATH) counts.redirectsFollowed += 1;
    const kind = NOTICE_KINDS.find((name) => url.pathname === `/notice/${name}`);
    if (kind === undefined) return sendAnswer(response, { status: 404 });
    counts.notices[kind] += 1;
    // The path as it was written, not as URL normalises it: macros are checked to the letter.
    notices.add({ kind, url: `${origin}${path}`, method, headers });
    const entry = noticeLedger.arrived(kind, headers['x-notice-id']?.toString(), url);
    const failure = this.#failureOf(kind);
    if (failure === undefined || failure.fault === 'slow') acknowledgeOnceSent(entry, response);
    if (failure !== undefined) {
      counts.noticeFaults[failure.fault] = (counts.noticeFaults[failure.fault] ?? 0) + 1;
      return sendNoticeFault(failure, response, this.#answer(kind, url, failure));
    }
    return sendAnswer(response, this.#answer(kind, url));
  }

  #failureOf(kind: NoticeKind): NoticeFailure | undefined {
    this.#arrivals += 1;
    const drawn = chooseNoticeFault(
      this.#profile.noticeFaults,
      this.#random.fork('notice').fork(this.#arrivals),
    );
    if (this.failure?.kinds?.includes(kind) ?? this.failure !== undefined) return this.failure;
    return drawn === undefined ? undefined : { fault: drawn };
  }

  /** Markup goes out once, and not with a fault that keeps it: a repetition may still have it. */
  #answer(kind: NoticeKind, url: URL, failure?: NoticeFailure): Answer {
    const bidId = url.searchParams.get('bid') ?? '';
    const markup = kind === 'win' ? this.#pendingMarkup.get(bidId) : undefined;
    if (markup === undefined) return { status: 204 };
    if (failure === undefined || failure.fault === 'slow') this.#pendingMarkup.delete(bidId);
    return { headers: { 'content-type': 'text/html' }, body: markup };
  }
}

/** What the kernel was not given the whole of is not acknowledged. */
function acknowledgeOnceSent(entry: NoticeEntry | undefined, response: ServerResponse): void {
  if (entry === undefined) return;
  response.once('finish', () => {
    entry.acknowledged += 1;
  });
}
