import { AnalyticsStoreError, type AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { countOf, textOf } from './cells.ts';
import { stepSql } from './insert-sql.ts';
import { readRollupSelects, type RollupSelect } from './rollup-views.ts';
import { ROLLUPS, type Rollup } from './rollups.ts';
import { settleLoad } from './settle-load.ts';

export interface RollupStepsOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
}

/** What a step has come to. */
export interface StepResult extends RollupResult {
  /** Of each rollup that took part, by its table: one that is far behind holds up none of the others. */
  readonly rollups: ReadonlyMap<string, RollupResult>;
  /** How many records of money the rollups that are filled soon have got. */
  readonly records: number;
}

/** What the step of one rollup has come to, or of all. */
export interface RollupResult {
  /** Nothing is left of what was settled. */
  readonly isDone: boolean;
  /** A load with more or fewer records than it had: nothing from it on is in the rollups. */
  readonly wrong: WrongLoad | null;
}

export interface WrongLoad {
  readonly load: number;
  readonly expected: number;
  readonly found: number;
}

/** How far a step goes, over how many records. */
interface Reach extends RollupResult {
  readonly last: number;
  readonly records: number;
}

/** The loads that a rollup was filled from last, and how many steps it has seen. */
interface Position {
  readonly step: number;
  readonly first: number;
  readonly last: number;
}

const BEGINNING: Position = { step: 0, first: 1, last: 0 };

/** Those of which reports are made within seconds, all of them of money. */
export const SOON = ROLLUPS.filter(({ isSoon }) => isSoon);

/** Which rollups take part in a step: those that are filled soon, or all. */
export type StepScope = 'soon' | 'all';

/** How much one step takes, by the numbers of loads: loading waits meanwhile. */
const LOADS_MAX = 2_000;
const RECORDS_MAX = 250_000;

/**
 * Fills the rollups in steps, each from the loads that came after the last one. A step is noted in the
 * store before it is run, and its token names rollup and loads: the one that was noted last is run
 * again after a crash, and does the rest, or nothing. It ends below the lowest load that is begun and
 * not settled, since a lower one may come later than a higher one, and below any load that has not the
 * number of records that it should have.
 *
 * Nothing may be inserted, settled or rebuilt by others while one of its methods runs.
 */
export class RollupSteps {
  readonly #options: RollupStepsOptions;
  #selects: ReadonlyMap<string, RollupSelect> | null = null;
  /** By rollup; null where what was noted last may not have been done. */
  #positions: Map<string, Position> | null = null;
  /** Up to which load of each stream settled ones were forgotten. */
  readonly #forgotten = new Map<BatchStream, number>();

  constructor(options: RollupStepsOptions) {
    this.#options = options;
  }

  /**
   * Runs the next step of the rollups. Those that stand at the same load go on together: one that an
   * upgrade has added catches up by itself.
   *
   * @throws AnalyticsStoreError when a step failed; the next call repeats it.
   */
  async step(scope: StepScope = 'all'): Promise<StepResult> {
    const { store, offsets } = this.#options;
    try {
      for (const pending of await offsets.pending()) await settleLoad(store, offsets, pending);
      const positions = await this.#done();
      const money = await this.#stepFrom('money', scope, positions);
      const trace = await this.#stepFrom('trace', scope, positions);
      const rollups = new Map([...money, ...trace]);
      const reached = [...rollups.values()];
      return {
        isDone: reached.every((each) => each.isDone),
        wrong: reached.find((each) => each.wrong !== null)?.wrong ?? null,
        rollups,
        records: Math.max(0, ...SOON.map(({ table }) => money.get(table)?.records ?? 0)),
      };
    } catch (error) {
      this.#positions = null;
      if (error instanceof AnalyticsStoreError) await store.recover();
      throw error;
    }
  }

  /** Runs steps until nothing is left that can be filled. */
  async fill(): Promise<StepResult> {
    for (;;) {
      const result = await this.step();
      if (result.isDone || result.wrong !== null) return result;
    }
  }

  /**
   * Before a rollup is made anew by other means: up to which load it is filled. The step that was noted
   * last will not be repeated, of which the table knows nothing afterwards.
   */
  async leave(rollup: Rollup): Promise<number> {
    const positions = await this.#done();
    const { last, step } = positions.get(rollup.table) ?? BEGINNING;
    // Should it fail, what was noted is read again.
    this.#positions = null;
    await this.#note(positions, [[rollup, { step: step + 1, first: last + 1, last }]]);
    this.#positions = positions;
    return last;
  }

  /** The positions, once all that was noted is done. */
  async #done(): Promise<Map<string, Position>> {
    if (this.#positions !== null) return this.#positions;
    const { store } = this.#options;
    this.#selects = await readRollupSelects(store);
    const rows = await store.query(
      `SELECT rollup, step, first, last FROM rollup_steps ORDER BY rollup, step DESC LIMIT 1 BY rollup`,
    );
    const positions = new Map(
      rows.map((row) => [
        textOf(row, 'rollup'),
        { step: countOf(row, 'step'), first: countOf(row, 'first'), last: countOf(row, 'last') },
      ]),
    );
    for (const rollup of ROLLUPS) {
      const position = positions.get(rollup.table);
      if (position !== undefined) await this.#run(rollup, position);
    }
    this.#positions = positions;
    return positions;
  }

  async #stepFrom(
    source: BatchStream,
    scope: StepScope,
    positions: Map<string, Position>,
  ): Promise<ReadonlyMap<string, Reach>> {
    const all = ROLLUPS.filter((each) => each.source === source);
    const lastOf = ({ table }: Rollup): number => (positions.get(table) ?? BEGINNING).last;
    const places = Map.groupBy(
      all.filter(({ isSoon }) => isSoon || scope === 'all'),
      lastOf,
    );
    const reached = new Map<string, Reach>();
    for (const [after, rollups] of places) {
      const reach = await this.#reach(source, after);
      for (const { table } of rollups) reached.set(table, reach);
      if (reach.last === after) continue;
      const steps = rollups.map((rollup): [Rollup, Position] => {
        const { step } = positions.get(rollup.table) ?? BEGINNING;
        return [rollup, { step: step + 1, first: after + 1, last: reach.last }];
      });
      await this.#note(positions, steps);
      for (const [rollup, position] of steps) await this.#run(rollup, position);
    }
    await this.#forgetSettled(source, Math.min(...all.map(lastOf)));
    return reached;
  }

  /** What all rollups are filled from need not be counted any more. */
  async #forgetSettled(source: BatchStream, last: number): Promise<void> {
    if (this.#forgotten.get(source) === last) return;
    await this.#options.offsets.forgetSettled(source, last);
    this.#forgotten.set(source, last);
  }

  /** How far the next step may go: what is held for days costs no more to look at. */
  async #reach(source: BatchStream, after: number): Promise<Reach> {
    const { store, offsets } = this.#options;
    const begun = (await offsets.pending())
      .filter(({ manifest }) => streamOf(manifest) === source)
      .map(({ load }) => load ?? Infinity);
    const settled = await offsets.settled({ stream: source, first: after + 1, max: LOADS_MAX });
    const loads = await this.#loadsAfter(source, after);
    const first = Math.min(settled[0]?.load ?? Infinity, loads.least);
    if (first === Infinity) return { last: after, isDone: true, wrong: null, records: 0 };
    const end = Math.min(first + LOADS_MAX, ...begun);
    const rows = await store.query(
      `SELECT load, count() AS records FROM ${source} WHERE load >= ${first} AND load < ${end}
       GROUP BY load`,
    );
    const found = new Map(rows.map((row) => [countOf(row, 'load'), countOf(row, 'records')]));
    const expected = new Map(
      settled.filter(({ load }) => load < end).map(({ load, records }) => [load, records]),
    );
    let last = after;
    let records = 0;
    for (const load of [...new Set([...found.keys(), ...expected.keys()])].sort((a, b) => a - b)) {
      const there = found.get(load) ?? 0;
      // Of a load that nobody knows it is not known either how many there should be.
      const due = expected.get(load) ?? there;
      if (there !== due) {
        return { last, isDone: false, wrong: { load, expected: due, found: there }, records };
      }
      if (records > 0 && records + there > RECORDS_MAX)
        return { last, isDone: false, wrong: null, records };
      records += there;
      last = load;
    }
    return { last, isDone: end < first + LOADS_MAX || loads.greatest < end, wrong: null, records };
  }

  /** The least and the greatest load above this one that have records; parts know theirs. */
  async #loadsAfter(
    source: BatchStream,
    after: number,
  ): Promise<{ readonly least: number; readonly greatest: number }> {
    const [row] = await this.#options.store.query(
      `SELECT min(load) AS least, max(load) AS greatest FROM ${source} WHERE load > ${after}`,
    );
    const greatest = row === undefined ? 0 : countOf(row, 'greatest');
    return row === undefined || greatest === 0
      ? { least: Infinity, greatest: 0 }
      : { least: countOf(row, 'least'), greatest };
  }

  /** In one INSERT, so that either all of these steps are noted or none. */
  async #note(
    positions: Map<string, Position>,
    steps: readonly (readonly [Rollup, Position])[],
  ): Promise<void> {
    const rows = steps.map(
      ([{ table }, { step, first, last }]) => `('${table}', ${step}, ${first}, ${last})`,
    );
    await this.#options.store.command(
      `INSERT INTO rollup_steps (rollup, step, first, last) SETTINGS async_insert = 0
       VALUES ${rows.join(', ')}`,
    );
    for (const [{ table }, position] of steps) positions.set(table, position);
  }

  async #run({ table, source, order }: Rollup, { first, last }: Position): Promise<void> {
    const of = this.#selects?.get(table);
    if (of === undefined) throw new Error(`No view feeds ${table}.`);
    if (first > last) return;
    await this.#options.store.command(stepSql({ table, ...of, order, source, first, last }));
  }
}
