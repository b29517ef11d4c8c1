import type { Logger } from 'pino';

import type { NoticeReply } from '../ports/notice-client.ts';
import { PARTNERS_MAX } from '../ports/node-status.ts';
import type { PartnerFigures } from './notice-figures.ts';
import type { NoticeLane } from './notice-lane.ts';
import type { NoticeLanes } from './notice-lanes.ts';

export interface NoticeWatchOptions {
  readonly lanes: NoticeLanes;
  readonly logger: Logger;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
}

/** A lane has a line of each kind this often at most. */
const LANE_LINE_MS = 60_000;
/** All lanes of a partner have so many lines at once, and after them one in so long. */
const PARTNER_LINES_MAX = 10;
const PARTNER_LINE_MS = 10_000;

/** A partner chooses its destinations, and may choose long ones. */
const DESTINATION_LENGTH_MAX = 200;
const USER_INFO = /\/\/.*@/;

type Change = 'failing' | 'answering' | 'givenUp';

/** What the log says of a lane, and what it does not say yet. */
interface Told {
  /** What the last failure was. */
  failure: string;
  /** Notices that were given up since the log said so last. */
  givenUp: number;
  /** The log's last word on whether it fails. */
  isFailing: boolean;
  /** When there was a line of each kind, on the monotonic clock. */
  readonly atMs: Record<Change, number>;
}

interface Partner {
  /** Since this process began. */
  givenUp: number;
  /** Lines that it has left, counted in `PARTNER_LINE_MS` up to this time. */
  lines: number;
  countedMs: number;
  /** For notices whose address cannot be called, which have no lane. */
  readonly uncallable: Told;
}

/**
 * Tells people which partners do not take their notices: in the log when a destination begins to
 * fail, answers again, or has lost notices, and in figures. It says how things stand when there is
 * room for a line, so that neither a flapping destination nor a partner with many floods the log, and
 * its last word is true.
 */
export class NoticeWatch {
  readonly #options: NoticeWatchOptions;
  readonly #told = new WeakMap<NoticeLane, Told>();
  readonly #partners = new Map<number, Partner>();

  constructor(options: NoticeWatchOptions) {
    this.#options = options;
  }

  /** A call that was not answered as it should be. */
  failed(lane: NoticeLane, reply: NoticeReply): void {
    this.#toldOf(lane).failure = describeFailure(reply);
  }

  /** A win or billing notice was given up. */
  gaveUp(lane: NoticeLane): void {
    this.#toldOf(lane).givenUp += 1;
    this.#partner(lane.partnerId).givenUp += 1;
  }

  /** One that has no lane, since its address cannot be called. */
  gaveUpUncallable(partnerId: number): void {
    const partner = this.#partner(partnerId);
    partner.uncallable.givenUp += 1;
    partner.givenUp += 1;
  }

  /** Writes the lines that are due. */
  tell(): void {
    for (const lane of this.#options.lanes) {
      const told = this.#told.get(lane);
      if (told === undefined) continue;
      if (lane.isFailing && !told.isFailing) this.#tell(lane, told, 'failing');
      if (!lane.isFailing && told.isFailing) this.#tell(lane, told, 'answering');
      if (told.givenUp > 0) this.#tell(lane, told, 'givenUp');
    }
    for (const [partnerId, { uncallable }] of this.#partners) {
      const lane = { partnerId, destination: '', pending: 0 };
      if (uncallable.givenUp > 0) this.#tell(lane, uncallable, 'givenUp');
    }
  }

  /** The partners that have notices waiting, given up, or a destination that fails; the worst first. */
  get figures(): PartnerFigures[] {
    const found = new Map<number, Omit<PartnerFigures, 'demandPartnerId' | 'givenUp'>>();
    const none = { waiting: 0, failing: 0 };
    for (const id of this.#partners.keys()) found.set(id, none);
    for (const { partnerId, pending, isFailing } of this.#options.lanes) {
      const { waiting, failing } = found.get(partnerId) ?? none;
      found.set(partnerId, {
        waiting: waiting + pending,
        failing: failing + (isFailing ? 1 : 0),
      });
    }
    return [...found]
      .map(([demandPartnerId, { waiting, failing }]) => {
        const givenUp = this.#partners.get(demandPartnerId)?.givenUp ?? 0;
        return { demandPartnerId, waiting, failing, givenUp };
      })
      .filter(({ waiting, failing, givenUp }) => waiting + failing + givenUp > 0)
      .sort(byWorst)
      .slice(0, PARTNERS_MAX);
  }

  #tell(
    { partnerId, destination, pending }: Pick<NoticeLane, 'partnerId' | 'destination' | 'pending'>,
    told: Told,
    change: Change,
  ): void {
    const nowMs = this.#options.monotonic();
    if (nowMs - told.atMs[change] < LANE_LINE_MS || !this.#takeLine(partnerId, nowMs)) return;
    told.atMs[change] = nowMs;
    const { logger } = this.#options;
    const details = {
      demandPartnerId: partnerId,
      destination: destination.replace(USER_INFO, '//').slice(0, DESTINATION_LENGTH_MAX),
      waiting: pending,
    };
    const { failure, givenUp } = told;
    if (change === 'givenUp') {
      told.givenUp = 0;
      logger.warn({ ...details, failure, givenUp }, 'notices of a demand partner were given up');
      return;
    }
    told.isFailing = change === 'failing';
    if (told.isFailing) {
      logger.warn({ ...details, failure }, 'a demand partner does not answer its notices');
    } else logger.info(details, 'a demand partner answers its notices again');
  }

  #takeLine(partnerId: number, nowMs: number): boolean {
    const partner = this.#partner(partnerId);
    const earned = (nowMs - partner.countedMs) / PARTNER_LINE_MS;
    partner.lines = Math.min(PARTNER_LINES_MAX, partner.lines + earned);
    partner.countedMs = nowMs;
    if (partner.lines < 1) return false;
    partner.lines -= 1;
    return true;
  }

  #toldOf(lane: NoticeLane): Told {
    let told = this.#told.get(lane);
    if (told === undefined) {
      told = nothingTold('');
      this.#told.set(lane, told);
    }
    return told;
  }

  #partner(id: number): Partner {
    let partner = this.#partners.get(id);
    if (partner === undefined) {
      partner = {
        givenUp: 0,
        lines: PARTNER_LINES_MAX,
        countedMs: this.#options.monotonic(),
        uncallable: nothingTold('ERR_INVALID_URL'),
      };
      this.#partners.set(id, partner);
    }
    return partner;
  }
}

function nothingTold(failure: string): Told {
  const atMs = { failing: -Infinity, answering: -Infinity, givenUp: -Infinity };
  return { failure, givenUp: 0, isFailing: false, atMs };
}

/** A status, an error's code, or that there was no answer in time. */
function describeFailure(reply: NoticeReply): string {
  if (reply.kind === 'answer') return `status ${reply.status}`;
  return reply.kind === 'error' ? reply.code : reply.kind;
}

function byWorst(one: PartnerFigures, other: PartnerFigures): number {
  return other.failing - one.failing || other.waiting - one.waiting || other.givenUp - one.givenUp;
}
