import { createAdFrame } from './ad-frame.ts';
import type { Ad } from './ask.ts';
import { fire, fireClick } from './beacons.ts';
import { onClickInto } from './clicks.ts';
import type { EventName } from './page-api.ts';
import { watchSight } from './sight.ts';

/** Half of an ad on the screen for so long, without a break, is a view. */
const VIEW_MS = 1000;

/** An ad on the page, until it is ended. */
export interface ShownAd {
  readonly frame: HTMLIFrameElement;
  readonly end: () => void;
}

/**
 * Puts an ad into an element, in place of what is there, and counts what becomes of it: each beacon
 * once. What the ad space shows when nobody bought has no beacons.
 */
export function showAd(
  base: string,
  element: HTMLElement,
  ad: Ad,
  tell: (name: EventName) => void,
): ShownAd {
  const { beacons } = ad;
  const ends: (() => void)[] = [];
  const { frame, stop } = createAdFrame(base, ad, () => {
    if (beacons) fire(beacons.impression);
    tell('rendered');
    const seen = (): void => {
      if (beacons) fire(beacons.view);
      tell('viewable');
    };
    ends.push(onView(frame, seen));
  });
  ends.push(stop);
  // Markup that carries the click address counts its clicks itself.
  if (beacons && ad.adm.indexOf(withoutToken(beacons.click)) < 0) {
    const clicked = (): void => {
      fireClick(beacons.click);
      tell('clicked');
    };
    ends.push(onClickInto(frame, clicked));
  }
  element.textContent = '';
  element.appendChild(frame);
  return {
    frame,
    end: () => {
      for (const end of ends) end();
      frame.remove();
    },
  };
}

function onView(frame: Element, seen: () => void): () => void {
  let timer = 0;
  const end = (): void => {
    clearTimeout(timer);
    stop();
  };
  const stop = watchSight(frame, (inSight) => {
    clearTimeout(timer);
    if (!inSight) return;
    timer = setTimeout(() => {
      end();
      seen();
    }, VIEW_MS);
  });
  return end;
}

/** Tokens of one win differ by where they lead; the address before them is the same. */
function withoutToken(click: string): string {
  return click.slice(0, click.lastIndexOf('/') + 1);
}
