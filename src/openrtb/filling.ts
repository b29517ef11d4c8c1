/**
 * How the exchange fills each field of what it sends, and what it does with each field that it reads,
 * as annotations on the schemas: `docs/reference/openrtb.md` is written from them, and a test holds
 * them against what the exchange sends.
 */

/** Where the value of a field comes from. The order is that of the documentation. */
export const Origin = {
  /** Identity and settings: a publisher's request cannot change it. */
  Configuration: 'configuration',
  /** Configuration or detection fills it; what the publisher's request says wins. */
  Overridable: 'overridable',
  /** As the publisher's request says; nothing fills it otherwise. */
  Request: 'request',
  /** Everything that configuration and request block together. */
  Union: 'union',
  /** The exchange sets it for the auction. */
  Exchange: 'exchange',
  /** The exchange does not send it. */
  Unsent: 'not sent',
  /** Read from a bidder's answer. */
  Read: 'read',
  /** Accepted in a bidder's answer, and nothing follows from it. */
  Ignored: 'ignored',
} as const;
export type Origin = (typeof Origin)[keyof typeof Origin];

export interface Filling {
  readonly origin: Origin;
  /** In words, with the spec's reason where there is one. */
  readonly how: string;
}

/** Marks a field with its filling: the origin is in the name, the words are the argument. */
type Say = (how?: string) => { readonly 'x-filled': Filling };

function saying(origin: Origin, otherwise: string): Say {
  return (how = otherwise) => ({ 'x-filled': { origin, how } });
}

export const configured = saying(Origin.Configuration, 'As configured.');
export const overridable = saying(Origin.Overridable, 'As the request says, else as configured.');
export const requested = saying(Origin.Request, 'As the request says.');
export const united = saying(Origin.Union, 'What configuration and request block.');
export const setHere = saying(Origin.Exchange, 'Set by the exchange.');
export const unsent = saying(Origin.Unsent, 'Not sent.');
export const readHere = saying(Origin.Read, 'Read.');
export const ignored = saying(Origin.Ignored, 'Ignored.');
