import { adAddress, pageFacts, sizeParameters, textsOf, type Parameters } from './ad-address.ts';
import { askForAd, type Ad } from './ask.ts';
import type { Definition, EventName, Slot, SlotEvent } from './page-api.ts';
import type { Emit } from './page-events.ts';
import { refreshRule, whenDue } from './refresh.ts';
import { showAd, type ShownAd } from './shown-ad.ts';
import { whenNear } from './sight.ts';

/** What all slots of a page share. */
export interface SlotContext {
  /** The exchange's address, without a slash at the end. */
  readonly base: string;
  readonly consent: () => Promise<Parameters>;
  readonly pageParameters: Parameters;
  readonly emit: Emit;
}

/** A place for ads: asks for one, now or when it comes near the screen, shows it, and the next. */
export function createSlot(
  { base, consent, pageParameters, emit }: SlotContext,
  element: HTMLElement,
  definition: Definition,
  removed: () => void,
): Slot {
  const adSpace = String(definition.adSpace);
  const size = sizeParameters(definition.size);
  const own = { ...size, ...textsOf(definition.parameters || {}) };
  const { display } = element.style;
  let asking = false;
  let destroyed = false;
  let shown: ShownAd | null = null;
  let refreshes = 0;
  let rule: Ad['refresh'];
  let endWait = (): void => {};
  const tell = (name: EventName, more: Partial<SlotEvent> = {}): void =>
    emit(name, { slot, adSpace, element, ...more });

  function ask(): void {
    if (asking || destroyed) return;
    asking = true;
    endWait();
    consent()
      .then((signals) => adAddress(base, adSpace, pageFacts(), signals, pageParameters, own))
      .then((address) => askForAd(address))
      .then(take)
      .catch(fail);
  }

  function take(ad: Ad | null): void {
    asking = false;
    if (destroyed) return;
    if (ad === null) {
      leaveEmpty();
      tell('empty');
      return;
    }
    if (shown !== null) shown.end();
    element.style.display = display;
    rule = ad.refresh;
    shown = showAd(base, element, ad, tell);
    planRefresh(shown.frame);
    const { w, h, id: auction, adomain = [], crid = null } = ad;
    tell('filled', { w, h, auction, adomain, crid });
  }

  function fail(error: unknown): void {
    asking = false;
    if (destroyed) return;
    const message = error instanceof Error ? error.message : String(error);
    console.warn('rialto: ad space ' + adSpace + ': ' + message);
    leaveEmpty();
    tell('error', { message });
  }

  /** An ad that is there stays; an element that has none goes away. */
  function leaveEmpty(): void {
    if (shown !== null) planRefresh(shown.frame);
    else if (definition.collapse !== false) element.style.display = 'none';
  }

  function planRefresh(frame: Element): void {
    const { waitS, max } = refreshRule(definition.refresh, rule);
    if (waitS === 0 || refreshes >= max) return;
    endWait = whenDue(frame, waitS, () => {
      refreshes += 1;
      ask();
    });
  }

  const slot: Slot = {
    adSpace,
    element,
    refresh: ask,
    destroy: () => {
      destroyed = true;
      endWait();
      if (shown !== null) shown.end();
      removed();
    },
  };
  // The page does not jump when the ad comes.
  if (size.h !== undefined) element.style.minHeight = size.h + 'px';
  if (definition.lazy === undefined) ask();
  else endWait = whenNear(element, definition.lazy, ask);
  return slot;
}
