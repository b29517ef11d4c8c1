import type { TestContext } from 'node:test';

const ENDINGS = new WeakMap<TestContext, (() => unknown)[]>();

/**
 * Ends what a test has opened, the last of it first: a store is closed before its directory goes
 * (hooks of `node:test` run in the order in which they were registered). All of it is ended, whatever
 * fails.
 *
 * @throws AggregateError of all that failed, in the test's own hook.
 */
export function atEnd(context: TestContext, end: () => unknown): void {
  const known = ENDINGS.get(context);
  if (known !== undefined) {
    known.push(end);
    return;
  }
  const endings = [end];
  ENDINGS.set(context, endings);
  context.after(async () => {
    const errors: unknown[] = [];
    for (const each of endings.toReversed()) {
      try {
        // One after the other.
        // oxlint-disable-next-line no-await-in-loop
        await each();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'not all that the test opened ended');
  });
}
