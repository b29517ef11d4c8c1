/** What a page may say about the user and itself: parameters of `/ad`, by their names. */
export type ParameterValues = Readonly<
  Record<string, string | number | boolean | null | undefined>
>;

/** One place for ads, as a page defines it. */
export interface Definition {
  /** Id of the ad space. */
  readonly adSpace: string | number;
  /** The element, or its id. */
  readonly element: HTMLElement | string;
  /** In CSS pixels, such as `300x250`: asked for, and kept free while there is no ad. */
  readonly size?: string | undefined;
  /** Pixels from the screen at which the ad is asked for; without it at once. */
  readonly lazy?: number | undefined;
  /** Seconds after which another ad is asked for, 30 at least; without it the ad stays. */
  readonly refresh?: number | undefined;
  /** Whether the element goes away while nobody buys it, which is the default. */
  readonly collapse?: boolean | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** A place for ads at work. */
export interface Slot {
  readonly adSpace: string;
  readonly element: HTMLElement;
  /** Asks for another ad now. */
  refresh(): void;
  /** Takes the ad away and stops. */
  destroy(): void;
}

export type EventName = 'filled' | 'empty' | 'rendered' | 'viewable' | 'clicked' | 'error';

/** What a listener is told. */
export interface SlotEvent {
  readonly slot: Slot;
  readonly adSpace: string;
  readonly element: HTMLElement;
  /** With `filled`: the ad's size in CSS pixels, its auction, and whose it is. */
  readonly w?: number;
  readonly h?: number;
  readonly auction?: string;
  readonly adomain?: readonly string[];
  readonly crid?: string | null;
  /** With `error`: what is wrong, in words. */
  readonly message?: string;
}

export type Listener = (event: SlotEvent) => void;
export type Command = (api: PageApi) => void;

/** `window.rialto`. */
export interface PageApi {
  /** Runs each function with the API once the page is read; an array before the script is there. */
  readonly cmd: { push(...commands: Command[]): void };
  /** A slot for an element; the one that it has already, if so; null where there is no element. */
  define(definition: Definition): Slot | null;
  /** Finds the slots that have come into the page since. */
  scan(): void;
  /** Parameters for all slots from the next ad on. */
  set(values: ParameterValues): void;
  /** Asks for other ads now: in the slots given, or in all. */
  refresh(...slots: Slot[]): void;
  /** Calls the listener from now on. @returns what ends it. */
  on(name: EventName, listener: Listener): () => void;
}
