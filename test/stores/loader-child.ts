/**
 * A process that loads what it is sent, to be killed at any time: what `control` does with batches.
 * Arguments: the directory. Messages in: batches, and what to do with them; out: `ready`, `inserted`
 * (before the commit), results.
 */
import type { Batch } from '../../src/ports/batch.ts';
import { openAnalytics } from './loader-fixture.ts';

export interface Order {
  readonly batch: Batch;
  /** Stop for ever between the insertion and the commit of its offsets. */
  readonly holdCommit: boolean;
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('name the directory');

let hold = false;
const { loader } = await openAnalytics(directory, (parts) => ({
  ...parts,
  offsets: {
    ...parts.offsets,
    commit: async (...args) => {
      if (hold) {
        process.send?.('inserted');
        await new Promise(() => {});
      }
      await parts.offsets.commit(...args);
    },
  },
}));

process.on('message', (order: Order) => {
  hold = order.holdCommit;
  void loader.load(order.batch).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
