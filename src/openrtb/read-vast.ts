/**
 * Reads VAST as far as it is judged. A player's parser shows nothing of a document that is not
 * well-formed, so neither is it taken here. One pass without recursion: a document costs no more than
 * its length, and has limits of its own. Nothing outside of it is looked at, and a document type
 * declaration, which could ask for that, is refused.
 */

/** Elements inside one another; VAST has about ten. */
const DEPTH_MAX = 64;
const ELEMENTS_MAX = 10_000;
/** Durations and media files that are read of one document; a pod has a few of each. */
const DURATIONS_MAX = 20;
const FILES_MAX = 500;

/** A media file, or a non-linear ad, as far as whether it can be shown depends on it. */
export interface VastFile {
  /** Content type as it is written; undefined where it is not said. */
  readonly type: string | undefined;
  readonly apiFramework: string | undefined;
}

export interface VastDocument {
  /** How many ads stand in it. */
  readonly ads: number;
  /** How long its linear ads last, in seconds; a wrapper does not say. */
  readonly durations: readonly number[];
  readonly hasLinear: boolean;
  readonly hasNonLinear: boolean;
  /** What a player chooses one file from: the media files of a linear ad, the non-linear ads together. */
  readonly choices: readonly (readonly VastFile[])[];
}

export type ReadVast =
  | { readonly ok: true; readonly vast: VastDocument }
  | { readonly ok: false; readonly problem: string };

/** @returns what the document holds; or, in words, why it is not well-formed. */
export function readVast(adm: string): ReadVast {
  const reader = new VastReader(adm);
  const problem = reader.read();
  return problem === null ? { ok: true, vast: reader.vast } : { ok: false, problem };
}

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.\\-]*';
const START = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const START_END = /\s*(\/?)>/y;
const END = new RegExp(`</(${NAME})\\s*>`, 'uy');
/** An ampersand that begins none of the references that XML knows without a declaration. */
const STRAY_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
// Characters that XML does not have at all.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const DURATION = /^\s*(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?\s*$/;

/** A document while it is read. */
interface Draft extends VastDocument {
  ads: number;
  readonly durations: number[];
  hasLinear: boolean;
  hasNonLinear: boolean;
  readonly choices: VastFile[][];
}

class VastReader {
  readonly vast: Draft = {
    ads: 0,
    durations: [],
    hasLinear: false,
    hasNonLinear: false,
    choices: [],
  };
  readonly #text: string;
  /** Names of the elements that are open. */
  readonly #open: string[] = [];
  #at = 0;
  #elements = 0;
  #files = 0;
  /** Where the text of a duration begins that is open. */
  #durationAt = 0;
  /** How deep the extensions are in which nothing is read; 0 outside. */
  #extensionDepth = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  /** @returns what is wrong; null when the document has been read. */
  read(): string | null {
    const text = this.#text;
    if (FORBIDDEN.test(text) || !text.isWellFormed()) return 'it has a character that XML has not';
    while (this.#at < text.length) {
      const next = text.indexOf('<', this.#at);
      const problem = this.#readText(next < 0 ? text.length : next) ?? this.#readMarkup();
      if (problem !== null) return problem;
    }
    const open = this.#open.at(-1);
    return open === undefined ? null : `<${open}> is not closed`;
  }

  /** Characters up to the next markup. */
  #readText(end: number): string | null {
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    if (this.#open.length === 0) return text.trim() === '' ? null : 'text stands outside of <VAST>';
    if (STRAY_AMPERSAND.test(text)) return 'an & in its text is not escaped';
    return text.includes(']]>') ? 'a ]]> stands in its text' : null;
  }

  #readMarkup(): string | null {
    const text = this.#text;
    const at = this.#at;
    if (at === text.length) return null;
    if (text.startsWith('<!--', at)) return this.#skipComment();
    if (text.startsWith('<?', at)) return this.#skipTo('?>', 'a processing instruction');
    if (text.startsWith('<![CDATA[', at) && this.#open.length > 0) {
      return this.#skipTo(']]>', 'a CDATA section');
    }
    if (text.startsWith('<!', at)) return 'it has a document type declaration';
    return text.startsWith('</', at) ? this.#readEnd() : this.#readStart();
  }

  #skipTo(end: string, what: string): string | null {
    const found = this.#text.indexOf(end, this.#at);
    if (found < 0) return `${what} does not end`;
    this.#at = found + end.length;
    return null;
  }

  #skipComment(): string | null {
    const dashes = this.#text.indexOf('--', this.#at + '<!--'.length);
    if (dashes < 0) return 'a comment does not end';
    if (this.#text[dashes + 2] !== '>') return 'a comment has -- in it';
    this.#at = dashes + '-->'.length;
    return null;
  }

  #readStart(): string | null {
    const name = this.#match(START)?.[1];
    if (name === undefined) return 'a < is not escaped';
    if (this.#open.length === 0 && this.#elements > 0) return 'it has more than one root';
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) return `it has more than ${ELEMENTS_MAX} elements`;
    const attributes = new Map<string, string>();
    for (let found = this.#match(ATTRIBUTE); found !== null; found = this.#match(ATTRIBUTE)) {
      const [, key = '', quoted, value = quoted ?? ''] = found;
      if (attributes.has(key)) return `<${name}> has ${key} twice`;
      if (STRAY_AMPERSAND.test(value)) return `an & in ${key} of <${name}> is not escaped`;
      attributes.set(key, value);
    }
    const end = this.#match(START_END);
    if (end === null) return `the tag of <${name}> is broken`;
    this.#note(name.toLowerCase(), attributes);
    if (end[1] === '/') return null;
    this.#open.push(name);
    if (this.#open.length > DEPTH_MAX) return `it is deeper than ${DEPTH_MAX} elements`;
    return this.#opened(name.toLowerCase());
  }

  /** Takes note of an element by its name, wherever it stands outside of extensions. */
  #note(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#extensionDepth > 0) return;
    const { vast } = this;
    if (name === 'ad') vast.ads += 1;
    else if (name === 'linear') vast.hasLinear = true;
    else if (name === 'mediafiles' || name === 'nonlinearads') vast.choices.push([]);
    else if (name === 'nonlinear') vast.hasNonLinear = true;
    if ((name === 'mediafile' || name === 'nonlinear') && this.#files < FILES_MAX) {
      this.#files += 1;
      const [type, apiFramework] = [attributes.get('type'), attributes.get('apiFramework')];
      vast.choices.at(-1)?.push({ type, apiFramework });
    }
  }

  #opened(name: string): null {
    if (name === 'extensions' && this.#extensionDepth === 0) {
      this.#extensionDepth = this.#open.length;
    }
    if (name === 'duration') this.#durationAt = this.#at;
    return null;
  }

  #readEnd(): string | null {
    const start = this.#at;
    const name = this.#match(END)?.[1];
    if (name === undefined) return 'an end tag is broken';
    const depth = this.#open.length;
    const open = this.#open.pop();
    if (open !== name) return `</${name}> ends ${open === undefined ? 'nothing' : `<${open}>`}`;
    if (this.#extensionDepth === depth) this.#extensionDepth = 0;
    else if (this.#extensionDepth === 0 && name.toLowerCase() === 'duration') {
      this.#readDuration(this.#text.slice(this.#durationAt, start));
    }
    return null;
  }

  #readDuration(text: string): void {
    const [found, hours, minutes, seconds, fraction = '0'] = DURATION.exec(text) ?? [];
    if (found === undefined || this.vast.durations.length === DURATIONS_MAX) return;
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    this.vast.durations.push(whole + Number(`0.${fraction}`));
  }

  /** What stands right here, which is then behind. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
