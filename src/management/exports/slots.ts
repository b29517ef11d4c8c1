import type { FastifyReply } from 'fastify';
import { RialtoError } from '../../base/errors.ts';

/** Exports under way at once: of one account, and of all of them. */
const ACCOUNT_MAX = 4;
const ALL_MAX = 32;

/**
 * How many exports are under way. They are bounded so, and not by the hour: what a program asks for
 * costs while it runs, and a report at a time hurts nobody.
 */
export class ExportSlots {
  readonly #underWay = new Map<string, number>();
  #all = 0;

  /**
   * Begins an export.
   *
   * @param account such as `demand 1001`.
   * @returns to be called when it has ended; calling it again does nothing.
   * @throws RialtoError where too many are under way; the reply says when to come again.
   */
  begin(account: string, reply: FastifyReply): () => void {
    const own = this.#underWay.get(account) ?? 0;
    if (own >= ACCOUNT_MAX || this.#all >= ALL_MAX) {
      reply.header('retry-after', '1');
      throw new RialtoError('too_many_exports');
    }
    this.#underWay.set(account, own + 1);
    this.#all += 1;
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.#all -= 1;
      const left = (this.#underWay.get(account) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(account);
      else this.#underWay.set(account, left);
    };
  }

  /** Holds a place while `work` runs. @throws as `begin` does. */
  async during<T>(account: string, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
    const end = this.begin(account, reply);
    try {
      return await work();
    } finally {
      end();
    }
  }
}
