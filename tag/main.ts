import { createConsent } from './consent.ts';
import { createEvents, safely } from './page-events.ts';
import type { Command, Definition, PageApi, ParameterValues, Slot } from './page-api.ts';
import { createSlot } from './slot.ts';
import { definitionOf, elementOf, SLOT_SELECTOR } from './slot-element.ts';
import { textsOf } from './ad-address.ts';

declare global {
  interface Window {
    /** What a page writes before the script is there, and the API from then on. */
    rialto?: PageApi | { cmd?: Command[] };
  }
}

/** How long the first ads wait for a consent manager that is there and has not said anything yet. */
const CONSENT_WAIT_MS = 1000;

/** Starts the tag: `window.rialto` becomes the API; what waited runs, and the page's slots are found. */
function start(): void {
  const before = window.rialto;
  // The script is in the page twice; the first one works.
  if (before !== undefined && 'define' in before) return;
  const script = findScript();
  if (script === null) {
    console.warn('rialto: load tag.js with a script element, so that it knows where from');
    return;
  }
  const { on, emit } = createEvents();
  const slots: Slot[] = [];
  const pageParameters: Record<string, string> = {};
  const context = {
    base: script.src.replace(/\/tag\.js(?:[?#].*)?$/, ''),
    consent: createConsent(Number(script.getAttribute('data-consent-wait') || CONSENT_WAIT_MS)),
    pageParameters,
    emit,
  };

  function define(definition: Definition): Slot | null {
    const element = elementOf(definition.element);
    if (element === null) {
      console.warn('rialto: there is no element for ad space', definition);
      return null;
    }
    for (const slot of slots) if (slot.element === element) return slot;
    const slot = createSlot(context, element, definition, () => {
      slots.splice(slots.indexOf(slot), 1);
    });
    slots.push(slot);
    return slot;
  }

  function scan(): void {
    for (const element of document.querySelectorAll<HTMLElement>(SLOT_SELECTOR)) {
      define(definitionOf(element));
    }
  }

  let isReady = document.readyState !== 'loading';
  const waiting = before === undefined || before.cmd === undefined ? [] : before.cmd;
  const run = (command: Command): void => safely(() => command(api));
  const api: PageApi = {
    cmd: {
      push: (...commands) => commands.forEach((each) => (isReady ? run(each) : waiting.push(each))),
    },
    define,
    scan,
    on,
    set: (values: ParameterValues) => {
      Object.assign(pageParameters, textsOf(values));
    },
    refresh: (...chosen) => (chosen.length > 0 ? chosen : slots).forEach((slot) => slot.refresh()),
  };
  // Commands name elements, so that they wait until the page has been read, as the scan does.
  const begin = (): void => {
    isReady = true;
    for (const command of waiting) run(command);
    scan();
  };
  window.rialto = api;
  if (isReady) begin();
  else document.addEventListener('DOMContentLoaded', begin);
}

/** The element that this script came from; a script that another one has put in is found by name. */
function findScript(): HTMLScriptElement | null {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement && currentScript.src !== '') return currentScript;
  return document.querySelector('script[src*="/tag.js"]');
}

safely(start);
