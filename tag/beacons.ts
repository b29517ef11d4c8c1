const RETRY_MS = 1000;
const TRIES_MAX = 6;

/** Calls a beacon until its picture comes back: however often it arrives, it counts once. */
export function fire(url: string, tries = TRIES_MAX): void {
  const picture = new Image();
  picture.addEventListener('error', () => {
    if (tries > 1) setTimeout(() => fire(url, tries - 1), RETRY_MS);
  });
  picture.src = url;
}

/** A click may take the page away: what counts it is sent even so. */
export function fireClick(url: string): void {
  if (!navigator.sendBeacon || !navigator.sendBeacon(url)) fire(url, 1);
}
