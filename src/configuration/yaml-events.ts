import {
  CORE_SCHEMA,
  EVENT_ID,
  NOT_RESOLVED,
  SCALAR_STYLE,
  getScalarValue,
  type AliasEvent,
  type DocumentEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Path } from './finding.ts';
import { DEPTH_MAX, VALUES_MAX } from './yaml-limits.ts';

/** What is wrong where, before its offset is a line and a column. */
export interface OffsetProblem {
  readonly path: Path;
  readonly offset: number;
  readonly message: string;
}

interface Anchored {
  readonly index: number;
  readonly value: unknown;
  /** How many values an alias of it adds to the document. */
  readonly values: number;
}

/** Where a part of a collection is said to stand, and where its value begins: indexes of events. */
interface Part {
  readonly shown: number;
  readonly value: number;
}

type Parts = ReadonlyMap<string | number, Part>;

/** The first event begins the document. */
const ROOT = 1;

/** Turns the events of a parsed text into plain values, and finds the place of a path again. */
export class EventReader {
  readonly problems: OffsetProblem[] = [];
  /** The document is too large or too deep to go on with. */
  exhausted = false;
  /** Something stands in it that no configuration needs, and of which more is to be said. */
  isOdd = false;
  readonly #text: string;
  readonly #events: readonly Event[];
  #at = ROOT;
  #values = 0;
  readonly #path: (string | number)[] = [];
  readonly #anchors = new Map<string, Anchored>();
  /** By the index of the event that begins a collection, the index after the one that ends it. */
  readonly #ends: Int32Array;
  /** From aliases to what they stand for. */
  readonly #targets = new Map<number, number>();
  /** Of the collections that were looked into for a place: of many findings each may name another part. */
  readonly #parts = new Map<number, Parts>();

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
    this.#ends = new Int32Array(events.length);
  }

  /** The document's value; what problems were found stands in `problems`. */
  read(): unknown {
    const [first] = this.#events;
    if (first === undefined) return null;
    if (first.type === EVENT_ID.DOCUMENT && this.#refuseDirective(first)) return null;
    const value = this.#read(0);
    const isOne = this.exhausted || this.#at === this.#events.length - 1;
    const isPlain = first.type === EVENT_ID.DOCUMENT && first.directives.length === 0;
    if (!isOne || !isPlain) this.isOdd = true;
    return value;
  }

  /** Offset in the text of the deepest part of a path that exists. */
  offsetOf(path: Path): number {
    let index = this.#targets.get(ROOT) ?? ROOT;
    let offset = this.#offsetAt(index) ?? 0;
    for (const segment of path) {
      const found = this.#find(index, segment);
      if (found === null) break;
      offset = this.#offsetAt(found.shown) ?? offset;
      index = this.#targets.get(found.value) ?? found.value;
    }
    return offset;
  }

  /** What would change the meaning of the text after it: tags are read as they stand, by YAML 1.2. */
  #refuseDirective({ directives }: DocumentEvent): boolean {
    const at = directives.findIndex((each) => each.kind === 'tag' || each.version !== '1.2');
    const directive = directives[at];
    if (directive === undefined) return false;
    this.exhausted = true;
    // Events do not say where: before the document's text stand nothing but directives and comments.
    const line = [...this.#text.matchAll(/^\ufeff?%(?:YAML|TAG)[ \t]/gm)][at];
    const message =
      directive.kind === 'tag'
        ? 'uses %TAG; leave it out, and write tags as !!str'
        : 'must be YAML 1.2; leave the %YAML directive out';
    this.problems.push({ path: [], offset: line?.index ?? 0, message });
    return true;
  }

  #read(depth: number): unknown {
    if (this.exhausted) return null;
    const index = this.#at;
    const event = this.#events[index];
    this.#at += 1;
    const before = this.#values;
    this.#values += 1;
    if (depth > DEPTH_MAX) this.#stop(index, `is nested more than ${DEPTH_MAX} deep`);
    if (this.#values > VALUES_MAX) this.#stop(index, tooManyValues());
    if (event?.type === EVENT_ID.ALIAS) return this.#readAlias(event, index);
    if (
      event?.type !== EVENT_ID.SCALAR &&
      event?.type !== EVENT_ID.MAPPING &&
      event?.type !== EVENT_ID.SEQUENCE
    ) {
      throw new Error('a value begins with an event of its own');
    }
    const value = this.#readContent(event, index, depth);
    if (event.anchorStart >= 0) {
      const name = this.#text.slice(event.anchorStart, event.anchorEnd);
      // Set after the content was read, so that nothing can contain itself.
      this.#anchors.set(name, { index, value, values: this.#values - before });
    }
    return value;
  }

  #readAlias(event: AliasEvent, index: number): unknown {
    const anchored = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd));
    if (anchored === undefined) {
      this.#report(index, 'is an alias without an anchor before it; put the text in quotes');
      return null;
    }
    this.#targets.set(index, anchored.index);
    this.#values += anchored.values;
    if (this.#values > VALUES_MAX) this.#stop(index, tooManyValues());
    return anchored.value;
  }

  #readContent(
    event: ScalarEvent | MappingEvent | SequenceEvent,
    index: number,
    depth: number,
  ): unknown {
    if (event.type === EVENT_ID.SCALAR) return this.#readScalar(event, index);
    const own = event.type === EVENT_ID.MAPPING ? 'map' : 'seq';
    if (event.tagStart >= 0 && this.#tagOf(event) !== `${CORE}${own}`) this.isOdd = true;
    const value = own === 'map' ? this.#readMapping(depth) : this.#readSequence(depth);
    this.#at += 1;
    this.#ends[index] = this.#at;
    return value;
  }

  #readMapping(depth: number): object {
    const read: Record<string, unknown> = {};
    while (!this.exhausted && this.#events[this.#at]?.type !== EVENT_ID.POP) {
      const index = this.#at;
      const name = this.#readKey();
      this.#path.push(name);
      this.#checkText(name, index);
      if (Object.hasOwn(read, name)) {
        this.#report(index, 'stands here a second time');
        this.#skip();
      } else {
        const value = this.#read(depth + 1);
        // Unlike assignment, this makes "__proto__" a key like any other.
        if (name === '__proto__') Object.defineProperty(read, name, { ...PLAIN, value });
        else read[name] = value;
      }
      this.#path.pop();
    }
    return read;
  }

  #readSequence(depth: number): unknown[] {
    const read: unknown[] = [];
    while (!this.exhausted && this.#events[this.#at]?.type !== EVENT_ID.POP) {
      this.#path.push(read.length);
      read.push(this.#read(depth + 1));
      this.#path.pop();
    }
    return read;
  }

  #readKey(): string {
    const event = this.#events[this.#at];
    if (event?.type === EVENT_ID.SCALAR) {
      this.#at += 1;
      if (event.tagStart >= 0 || event.anchorStart >= 0) this.isOdd = true;
      return getScalarValue(this.#text, event);
    }
    this.isOdd = true;
    this.#skip();
    return '';
  }

  /** Goes on after a value without reading it. */
  #skip(): void {
    let open = 0;
    do {
      const index = this.#at;
      const type = this.#events[index]?.type;
      this.#at += 1;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open += 1;
      if (type === EVENT_ID.POP) open -= 1;
    } while (open > 0);
  }

  #readScalar(event: ScalarEvent, index: number): unknown {
    const text = getScalarValue(this.#text, event);
    this.#checkText(text, index);
    if (event.tagStart >= 0) {
      const tag = CORE_SCHEMA.lookupScalarTag(this.#tagOf(event));
      const value: unknown = tag?.resolve(text, true, tag.tagName);
      if (tag !== undefined && value !== NOT_RESOLVED) return value;
      this.isOdd = true;
    }
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    return CORE_SCHEMA.resolveImplicitScalarTag(text).value;
  }

  #tagOf({ tagStart, tagEnd }: { readonly tagStart: number; readonly tagEnd: number }): string {
    const tag = this.#text.slice(tagStart, tagEnd);
    if (tag === '!') return `${CORE}str`;
    return tag.replace(/^!<(.*)>$/, '$1').replace(/^!!/, CORE);
  }

  /** What neither SQLite nor PostgreSQL could give back as it was is refused in every text. */
  #checkText(text: string, index: number): void {
    if (!text.isWellFormed() || text.includes('\0')) {
      this.#report(index, 'holds a character that is not valid in a text');
    }
  }

  #find(index: number, segment: string | number): Part | null {
    let parts = this.#parts.get(index);
    if (parts === undefined) {
      parts = this.#partsOf(index);
      this.#parts.set(index, parts);
    }
    return parts.get(segment) ?? null;
  }

  #partsOf(index: number): Parts {
    const { type } = this.#events[index] ?? {};
    const parts = new Map<string | number, Part>();
    let at = index + 1;
    if (type === EVENT_ID.SEQUENCE) {
      for (; !this.#isEnd(at); at = this.#after(at))
        parts.set(parts.size, { shown: at, value: at });
    }
    if (type !== EVENT_ID.MAPPING) return parts;
    while (!this.#isEnd(at)) {
      const value = this.#after(at);
      const key = this.#events[at];
      const name = key?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, key) : null;
      // Of a key that stands twice the first is read.
      if (name !== null && !parts.has(name)) parts.set(name, { shown: at, value });
      at = this.#after(value);
    }
    return parts;
  }

  #isEnd(index: number): boolean {
    const event = this.#events[index];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  /** What follows a value; one that was not read is gone through. */
  #after(index: number): number {
    const end = this.#ends[index] ?? 0;
    if (end > 0) return end;
    this.#at = index;
    this.#skip();
    return this.#at;
  }

  #offsetAt(index: number): number | undefined {
    const event = this.#events[index];
    const offset = event === undefined ? -1 : startOf(event);
    return offset < 0 ? undefined : offset;
  }

  #stop(index: number, message: string): void {
    this.exhausted = true;
    this.#report(index, message);
  }

  #report(index: number, message: string): void {
    this.problems.push({ path: [...this.#path], offset: this.#offsetAt(index) ?? 0, message });
  }
}

const CORE = 'tag:yaml.org,2002:';

const PLAIN = { configurable: true, enumerable: true, writable: true };

function tooManyValues(): string {
  return `brings the file to more than ${VALUES_MAX} values, aliases counted where they stand`;
}

/** Where what an event begins stands in the text; below zero where that is not known. */
function startOf(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  if (event.type !== EVENT_ID.SCALAR) return -1;
  const isQuoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? event.valueStart - 1 : event.valueStart;
}
