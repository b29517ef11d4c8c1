/** Who follows the journal hears of it so often at most: what comes meanwhile is told together. */
const TOLD_EVERY_MS = 100;

/**
 * Tells that the journal has grown: at the first record at once, then at most ten times a second as long
 * as there are more. Nothing runs while nothing is written.
 *
 * @returns to be called at every write.
 */
export function createGrowthTeller(tell: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let hasGrown = false;
  const next = (): void => {
    timer = null;
    if (!hasGrown) return;
    hasGrown = false;
    tellNow();
  };
  const tellNow = (): void => {
    tell();
    timer = setTimeout(next, TOLD_EVERY_MS).unref();
  };
  return () => {
    if (timer === null) tellNow();
    else hasGrown = true;
  };
}
