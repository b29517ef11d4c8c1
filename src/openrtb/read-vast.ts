/**
 * Reads VAST as far as it is judged. A player's parser shows nothing of a document that is not
 * well-formed, so neither is it taken here. One pass without recursion: a document costs no more than
 * its length, and has limits of its own. Nothing outside of it is looked at, and a document type
 * declaration, which could ask for that, is refused.
 */

/** Elements inside one another; VAST has about ten. */
const DEPTH_MAX = 64;
const ELEMENTS_MAX = 10_000;
/** Durations and files that one document may have; a pod has a few of each. All are judged. */
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
  /** How long its linear ads last, in seconds, null where it cannot be read; a wrapper does not say. */
  readonly durations: readonly (number | null)[];
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
const CDATA = '<![CDATA[';
const START_END = /\s*(\/?)>/y;
const END = new RegExp(`</(${NAME})\\s*>`, 'uy');
/** An ampersand that begins none of the references that XML knows without a declaration. */
const STRAY_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const REFERENCE = /&(?:#x([\da-fA-F]+)|#(\d+)|([a-z]+));/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const CODE_POINT_MAX = 0x10_ff_ff;
// Characters that XML does not have at all.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const DURATION = /^\s*(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?\s*$/;

/** A document while it is read. */
interface Draft extends VastDocument {
  ads: number;
  readonly durations: (number | null)[];
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
  /** The text so far of a duration that is open. */
  #duration: string | null = null;
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
    if (text.includes(']]>')) return 'a ]]> stands in its text';
    if (this.#duration !== null) this.#duration += text;
    return null;
  }

  #readMarkup(): string | null {
    const text = this.#text;
    const at = this.#at;
    if (at === text.length) return null;
    if (text.startsWith('<!--', at)) return this.#skipComment();
    if (text.startsWith('<?', at)) return this.#skipTo('?>', 'a processing instruction');
    if (text.startsWith(CDATA, at) && this.#open.length > 0) {
      return this.#readCdata();
    }
    if (text.startsWith('<!', at)) return 'it has a document type declaration';
    return text.startsWith('</', at) ? this.#readEnd() : this.#readStart();
  }

  #readCdata(): string | null {
    const start = this.#at + CDATA.length;
    const problem = this.#skipTo(']]>', 'a CDATA section');
    if (problem === null && this.#duration !== null) {
      this.#duration += this.#text.slice(start, this.#at - ']]>'.length);
    }
    return problem;
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
      attributes.set(key, resolved(value));
    }
    const end = this.#match(START_END);
    if (end === null) return `the tag of <${name}> is broken`;
    const kind = name.toLowerCase();
    const problem = this.#note(kind, attributes);
    if (problem !== null) return problem;
    if (end[1] === '/') return this.#closed(kind);
    this.#open.push(name);
    if (this.#open.length > DEPTH_MAX) return `it is deeper than ${DEPTH_MAX} elements`;
    if (kind === 'extensions' && this.#extensionDepth === 0) {
      this.#extensionDepth = this.#open.length;
    }
    return null;
  }

  /** Takes note of an element by its name, wherever it stands outside of extensions. */
  #note(name: string, attributes: ReadonlyMap<string, string>): string | null {
    if (this.#extensionDepth > 0) return null;
    const { vast } = this;
    if (name === 'ad') vast.ads += 1;
    else if (name === 'linear') vast.hasLinear = true;
    else if (name === 'mediafiles' || name === 'nonlinearads') vast.choices.push([]);
    else if (name === 'nonlinear') vast.hasNonLinear = true;
    else if (name === 'duration') this.#duration = '';
    if (name === 'mediafile' || name === 'nonlinear') {
      this.#files += 1;
      if (this.#files > FILES_MAX) return `it has more than ${FILES_MAX} files`;
      const [type, apiFramework] = [attributes.get('type'), attributes.get('apiFramework')];
      vast.choices.at(-1)?.push({ type, apiFramework });
    }
    return null;
  }

  #readEnd(): string | null {
    const name = this.#match(END)?.[1];
    if (name === undefined) return 'an end tag is broken';
    const depth = this.#open.length;
    const open = this.#open.pop();
    if (open !== name) return `</${name}> ends ${open === undefined ? 'nothing' : `<${open}>`}`;
    if (this.#extensionDepth !== depth) return this.#closed(name.toLowerCase());
    this.#extensionDepth = 0;
    return null;
  }

  /** A duration ends; of one inside another the outer has no text that could be read. */
  #closed(name: string): string | null {
    if (name !== 'duration' || this.#extensionDepth > 0) return null;
    const { durations } = this.vast;
    durations.push(secondsOf(this.#duration ?? ''));
    this.#duration = null;
    return durations.length > DURATIONS_MAX ? `it has more than ${DURATIONS_MAX} durations` : null;
  }

  /** What stands right here, which is then behind. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

/** Seconds of HH:MM:SS with or without a fraction; null of anything else. */
function secondsOf(text: string): number | null {
  const [found, hours, minutes, seconds, fraction = '0'] = DURATION.exec(text) ?? [];
  if (found === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** A text with its references resolved; an invalid one becomes U+FFFD. */
function resolved(text: string): string {
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? '\ufffd';
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > CODE_POINT_MAX ? '\ufffd' : String.fromCodePoint(code);
  });
}
