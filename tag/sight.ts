/**
 * Tells whether at least half of an element is on the screen of a page in sight, whenever that
 * changes; it begins out of sight.
 *
 * @returns what ends it.
 */
export function watchSight(element: Element, tell: (inSight: boolean) => void): () => void {
  if (!('IntersectionObserver' in window)) return () => {};
  let half = false;
  let told = false;
  const look = (): void => {
    const inSight = half && document.visibilityState !== 'hidden';
    if (inSight === told) return;
    told = inSight;
    tell(inSight);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const last = entries[entries.length - 1];
      half = last !== undefined && last.intersectionRatio >= 0.5;
      look();
    },
    { threshold: [0.5] },
  );
  observer.observe(element);
  document.addEventListener('visibilitychange', look);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', look);
  };
}

/** Calls once, when the element is less than so many pixels from the screen. @returns what ends it. */
export function whenNear(element: Element, marginPx: number, near: () => void): () => void {
  if (!('IntersectionObserver' in window)) {
    near();
    return () => {};
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      near();
    },
    { rootMargin: marginPx + 'px' },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
