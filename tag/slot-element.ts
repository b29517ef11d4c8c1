import type { Definition } from './page-api.ts';

const PREFIX = 'data-rialto';

/** An element with the id of an ad space. */
export const SLOT_SELECTOR = '[' + PREFIX + ']';

/** Pixels from the screen for `data-rialto-lazy` without a number. */
const LAZY_DEFAULT = 200;

export function elementOf(element: HTMLElement | string): HTMLElement | null {
  return typeof element === 'string' ? document.getElementById(element) : element;
}

/** What an element's attributes define; `data-rialto-NAME` with any other name is a parameter. */
export function definitionOf(element: HTMLElement): Definition {
  const options: Record<string, string> = {};
  const parameters: Record<string, string> = {};
  for (const { name, value } of element.attributes) {
    if (name.indexOf(PREFIX + '-') !== 0) continue;
    const key = name.slice(PREFIX.length + 1);
    const isOption = key === 'size' || key === 'lazy' || key === 'refresh' || key === 'collapse';
    (isOption ? options : parameters)[key] = value;
  }
  const { size, lazy, refresh, collapse } = options;
  return {
    adSpace: element.getAttribute(PREFIX) || '',
    element,
    size,
    lazy: lazy === undefined ? undefined : lazy === '' ? LAZY_DEFAULT : Number(lazy),
    refresh: Number(refresh || 0),
    collapse: collapse !== 'false',
    parameters,
  };
}
