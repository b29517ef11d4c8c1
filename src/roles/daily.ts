const DAY_MS = 24 * 3_600_000;

/**
 * Does something now and once a day.
 *
 * @param work never rejects.
 * @returns ends it; resolves when nothing is under way.
 */
export function daily(work: () => Promise<void>): () => Promise<void> {
  let last = work();
  const timer = setInterval(() => {
    last = last.then(work);
  }, DAY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}
