/**
 * What a US section of a GPP string decides: the national one and those of the states. Source: IAB Tech
 * Lab, "Global Privacy Platform", sections 7 to 27, each a version of 6 bits and then fields of 2 bits
 * (0 not applicable, 1 and 2 as the field has it), followed by segments of its own after a dot.
 */
import { type Bits, bitsOf, isSet, readBits } from './bits.ts';

/** What the user, or the law, has said no to. */
export interface UsChoices {
  /** To the sale or sharing of personal data, or to targeted advertising. */
  readonly optedOut: boolean;
  /** To the use of some kind of sensitive data, which precise location is. */
  readonly sensitiveDataRefused: boolean;
  /** The business knows that the user is a child. */
  readonly isKnownChild: boolean;
}

/**
 * What a field of two bits means:
 * - `notice`: 2 says that the user was not told of the right to opt out, so nothing can be concluded
 *   from the silence
 * - `sensitiveNotice`: the same of sensitive data
 * - `choice`: 1 opted out
 * - `sensitive`: 1 opted out or no consent, of one kind of sensitive data
 * - `child`: 1 or 2 where the user is a child or a minor, with consent or without
 * - `consent`: 1 no consent to uses beyond those that the user was told of
 * - `serviceProvider`: 1 where the business lets others act for itself alone
 * - `mode`: 2 for the same, in sections that have one field for both modes
 * - `other`: decides nothing here
 */
type Field =
  | 'notice'
  | 'sensitiveNotice'
  | 'choice'
  | 'sensitive'
  | 'child'
  | 'consent'
  | 'serviceProvider'
  | 'mode'
  | 'other';

/** By version. */
type Section = ReadonlyMap<number, Layout>;

interface Layout {
  readonly fields: readonly Field[];
  /** What stands in the segments after the core: Global Privacy Control, or sensitive data. */
  readonly segments: 'gpc' | 'sensitive' | 'none';
}

const VERSION_BITS = 6;
const FIELD_BITS = 2;
const GPC_SEGMENT = 1;
/** No section has more than one so far. */
const SEGMENTS_MAX = 3;
const SENSITIVE_IN_SEGMENT = 8;

/** The first section with the national approach; all US sections after it have the same fields. */
const FIRST = 7;
const MSPA_MODES: readonly Field[] = ['other', 'other', 'serviceProvider'];

const SECTIONS: readonly Section[] = [
  national(),
  california(),
  // Virginia, Colorado, Utah, Connecticut.
  state({ sensitive: 8, child: 1, segments: 'none' }),
  state({ sensitive: 7, child: 1 }),
  state({ sensitiveNotice: 1, sensitive: 8, child: 1, segments: 'none' }),
  state({ sensitive: 8, child: 3 }),
  // Florida, Montana, Oregon, Texas, Delaware.
  state({ sensitive: 8, child: 3, consent: 1, segments: 'none' }),
  state({ sensitive: 8, child: 3, consent: 1 }),
  state({ sensitive: 11, child: 3, consent: 1 }),
  state({ sensitive: 8, child: 1, consent: 1 }),
  state({ sensitive: 9, child: 5, consent: 1 }),
  // Iowa, Nebraska, New Hampshire, New Jersey, Tennessee, Minnesota.
  state({ sensitiveNotice: 1, sensitive: 8, child: 1 }),
  state({ sensitive: 8, child: 1, consent: 1 }),
  state({ sensitive: 8, child: 3, consent: 1 }),
  state({ sensitive: 10, child: 5, consent: 1 }),
  state({ sensitive: 8, child: 1, consent: 1 }),
  state({ sensitive: 8, child: 1, consent: 1 }),
  // Maryland, Indiana, Kentucky, Rhode Island.
  stateOfOneMode({ child: 0, segments: 'gpc' }),
  stateOfOneMode({ child: 1, segments: 'sensitive' }),
  stateOfOneMode({ child: 1, segments: 'sensitive' }),
  stateOfOneMode({ child: 1, segments: 'sensitive' }),
];

/** Whether a section of this id is one of the US that can be read here. */
export function isUsSection(id: number): boolean {
  return id >= FIRST && id < FIRST + SECTIONS.length;
}

/** Reads a section; null when it is of an unknown id or version, damaged or cut off. */
export function readUsSection(id: number, text: string): UsChoices | null {
  const [core = '', ...segments] = text.split('.', SEGMENTS_MAX + 2);
  const bits = bitsOf(core);
  if (bits === null || segments.length > SEGMENTS_MAX) return null;
  const layout = SECTIONS[id - FIRST]?.get(readBits(bits, 0, VERSION_BITS));
  if (layout === undefined) return null;
  if (bits.count < VERSION_BITS + layout.fields.length * FIELD_BITS) return null;
  const said = new Set(layout.fields.filter((field, index) => isNo(field, valueAt(bits, index))));
  for (const segment of segments) {
    const more = readSegment(segment, layout);
    if (more === null) return null;
    if (more !== 'nothing') said.add(more);
  }
  return {
    optedOut: REFUSALS.some((field) => said.has(field)),
    sensitiveDataRefused: said.has('sensitive') || said.has('sensitiveNotice'),
    isKnownChild: said.has('child'),
  };
}

/** What takes identifiers away. */
const REFUSALS: readonly Field[] = ['notice', 'choice', 'consent', 'serviceProvider', 'mode'];

function valueAt(bits: Bits, index: number): number {
  return readBits(bits, VERSION_BITS + index * FIELD_BITS, FIELD_BITS);
}

/** Whether a field says no. What has no meaning, 3, says it too. */
function isNo(field: Field, value: number): boolean {
  if (field === 'other') return false;
  if (field === 'child' || value === 3) return value !== 0;
  const no = field === 'notice' || field === 'sensitiveNotice' || field === 'mode' ? 2 : 1;
  return value === no;
}

/** What a segment after the core says no to; null when it cannot be read. */
function readSegment(text: string, { segments }: Layout): Field | 'nothing' | null {
  const bits = bitsOf(text);
  if (bits === null || segments === 'none') return null;
  if (segments === 'gpc') {
    if (readBits(bits, 0, 2) !== GPC_SEGMENT) return null;
    return isSet(bits, 2) ? 'choice' : 'nothing';
  }
  if (bits.count < SENSITIVE_IN_SEGMENT * FIELD_BITS) return null;
  for (let index = 0; index < SENSITIVE_IN_SEGMENT; index += 1) {
    if (isNo('sensitive', readBits(bits, index * FIELD_BITS, FIELD_BITS))) return 'sensitive';
  }
  return 'nothing';
}

/** Of its first version, and of the second one, which knows more kinds of data and minors. */
function national(): Section {
  const layout = (sensitive: number, child: number): Layout => ({
    fields: [
      ...times('notice', 4),
      ...times('sensitiveNotice', 2),
      ...times('choice', 3),
      ...times('sensitive', sensitive),
      ...times('child', child),
      'consent',
      ...MSPA_MODES,
    ],
    segments: 'gpc',
  });
  return new Map([
    [1, layout(12, 2)],
    [2, layout(16, 3)],
  ]);
}

function california(): Section {
  return ofFirstVersion({
    fields: [
      ...times('notice', 2),
      'sensitiveNotice',
      ...times('choice', 2),
      ...times('sensitive', 9),
      ...times('child', 2),
      'consent',
      ...MSPA_MODES,
    ],
    segments: 'gpc',
  });
}

interface StateFields {
  readonly sensitiveNotice?: number;
  readonly sensitive: number;
  readonly child: number;
  readonly consent?: number;
  readonly segments?: Layout['segments'];
}

function state(fields: StateFields): Section {
  const { sensitiveNotice = 0, sensitive, child, consent = 0, segments = 'gpc' } = fields;
  return ofFirstVersion({
    fields: [
      ...times('notice', 3),
      ...times('sensitiveNotice', sensitiveNotice),
      ...times('choice', 2),
      ...times('sensitive', sensitive),
      ...times('child', child),
      ...times('consent', consent),
      ...MSPA_MODES,
    ],
    segments,
  });
}

/** Sections made since 2025, which say what is sensitive in a segment of its own. */
function stateOfOneMode({ child, segments }: Pick<StateFields, 'child' | 'segments'>): Section {
  return ofFirstVersion({
    fields: [
      'other',
      'mode',
      ...times('notice', 3),
      ...times('choice', 2),
      ...times('child', child),
      'consent',
    ],
    segments: segments ?? 'none',
  });
}

function ofFirstVersion(layout: Layout): Section {
  return new Map([[1, layout]]);
}

function times(field: Field, count: number): readonly Field[] {
  return Array.from({ length: count }, () => field);
}
