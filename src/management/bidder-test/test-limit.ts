import type { FastifyReply } from 'fastify';
import { RialtoError } from '../../base/errors.ts';

/** Test requests that a bidder gets in a time. */
const TESTS_MAX = 10;
const WITHIN_MS = 60_000;

/** Lets a demand partner be sent ten test requests a minute, one after the other. */
export class TestLimit {
  readonly #now: () => number;
  /** When tests of a partner began, the earliest first, of the last minute alone. */
  readonly #begun = new Map<number, number[]>();
  readonly #underWay = new Set<number>();

  /** @param now in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws RialtoError where it is too much; the reply says when to come again. */
  async run<T>(demandPartnerId: number, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
    const nowMs = this.#now();
    this.#forget(nowMs);
    const begun = this.#begun.get(demandPartnerId) ?? [];
    const [first = nowMs] = begun;
    if (begun.length >= TESTS_MAX) refuse(reply, first + WITHIN_MS - nowMs);
    if (this.#underWay.has(demandPartnerId)) refuse(reply, 0);
    this.#begun.set(demandPartnerId, [...begun, nowMs]);
    this.#underWay.add(demandPartnerId);
    try {
      return await work();
    } finally {
      this.#underWay.delete(demandPartnerId);
    }
  }

  /** What is over, also where the clock was put back. */
  #forget(nowMs: number): void {
    for (const [id, begun] of this.#begun) {
      const recent = begun.filter((atMs) => Math.abs(nowMs - atMs) < WITHIN_MS);
      if (recent.length === 0) this.#begun.delete(id);
      else this.#begun.set(id, recent);
    }
  }
}

function refuse(reply: FastifyReply, waitMs: number): never {
  reply.header('retry-after', String(Math.max(1, Math.ceil(waitMs / 1_000))));
  throw new RialtoError('too_many_test_requests');
}
