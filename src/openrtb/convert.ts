/**
 * Writes an object in the words of another version, in either direction, and says what is lost. All of
 * it is in the tables: what a version does not know, and where each has a field (`variations.ts`).
 */
import type { TSchema } from 'typebox';
import { Equal } from 'typebox/value';
import { BidRequestSchema, type BidRequest } from './bid-request.ts';
import { BidResponseSchema, type BidResponse } from './bid-response.ts';
import { planOf, type Plan, type Source, type Step } from './conversion-plan.ts';
import { isEmpty, placed, valueAt, without } from './places.ts';
import { isRecord, nodeOf } from './schema-node.ts';
import type { OpenRtbVersion } from './versions.ts';

/** Something that a version cannot say. */
export interface Lost {
  /** JSON pointer to where it stood. */
  readonly pointer: string;
  /** In words: what became of it. */
  readonly message: string;
}

export interface Converted<Value> {
  readonly value: Value;
  readonly lost: readonly Lost[];
}

/** A bid request in another version. Fields are read wherever any version has them. */
export function convertBidRequest(
  request: BidRequest,
  version: OpenRtbVersion,
): Converted<BidRequest> {
  const lost: Lost[] = [];
  return { value: requestTo[version](request, lost), lost };
}

/** A bid response in another version. */
export function convertBidResponse(
  response: BidResponse,
  version: OpenRtbVersion,
): Converted<BidResponse> {
  const lost: Lost[] = [];
  return { value: responseTo[version](response, lost), lost };
}

type Converter = <Value extends object>(value: Value, lost?: Lost[]) => Value;

const requestTo = convertersOf(BidRequestSchema);
const responseTo = convertersOf(BidResponseSchema);

function convertersOf(schema: TSchema): Readonly<Record<OpenRtbVersion, Converter>> {
  return {
    '2.2': createConverter(schema, '2.2'),
    '2.5': createConverter(schema, '2.5'),
    '2.6': createConverter(schema, '2.6'),
  };
}

/**
 * Makes the function that writes an object in a version. Make it once, at start: the tables are walked
 * here, so that a call looks for nothing but the fields that versions have otherwise. The object is
 * not changed; what stays as it is, is shared with it.
 *
 * @param source where fields are read: as any version has them, or where the tables have them alone
 * @returns a function that adds what is lost to a list, if it is given one
 */
export function createConverter(
  schema: TSchema,
  version: OpenRtbVersion,
  source: Source = 'versions',
): Converter {
  const plan = planOf(nodeOf(schema), { version, source });
  if (plan.length === 0) return (value) => value;
  return (value, lost) => {
    const position = lost === undefined ? null : { pointer: '', lost, version };
    const converted = recordIn(plan, value, position) ?? {};
    return isLike(value, converted) ? converted : value;
  };
}

/** A type has the fields of all versions, so that both are of one. */
function isLike<Value>(_value: Value, converted: unknown): converted is Value {
  return converted !== undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Where in the document a conversion is, and who wants to know; null where nobody does. */
interface Position {
  readonly pointer: string;
  readonly lost: Lost[];
  readonly version: OpenRtbVersion;
}

/** Undefined where nothing is left of it. */
function recordIn(plan: Plan, value: unknown, position: Position | null): unknown {
  if (!isRecord(value)) return value;
  let record: Json = value;
  for (const step of plan) {
    const origin = originIn(step, record, position);
    if (origin !== undefined) record = stepIn(step, record, { origin, position });
    else if (step.variation.isRequired === true) record = written(step, record, undefined);
  }
  return record !== value && isEmpty(record) ? undefined : record;
}

/** The first place where something stands, or another where something stricter does. */
function originIn(
  { from, to, variation: { strictness } }: Step,
  record: Json,
  position: Position | null,
): readonly string[] | undefined {
  let origin: readonly string[] | undefined;
  for (const place of from) {
    const value = valueAt(record, place);
    if (value === undefined) continue;
    const kept = origin;
    origin ??= place;
    if (kept === undefined) continue;
    const other = valueAt(record, kept);
    if (Equal(value, other)) continue;
    if (strictness !== undefined && strictness(value) > strictness(other)) origin = place;
    const gone = origin === place ? kept : place;
    lose(position, gone, to === null ? 'left out' : 'another value is kept');
  }
  return origin;
}

/** A list without the objects of which nothing is left; undefined where that is all of them. */
function valueIn(plan: Plan, value: unknown, position: Position | null): unknown {
  if (!Array.isArray(value)) return recordIn(plan, value, position);
  let isChanged = false;
  const items: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const at = below(position, [String(index)]);
    const converted = recordIn(plan, item, at);
    if (converted !== undefined) items.push(converted);
    else lose(at, [], 'nothing is left of it');
    isChanged ||= converted !== item;
  }
  if (!isChanged) return value;
  return items.length === 0 ? undefined : items;
}

/** @param origin where the value of the field stands */
function stepIn(
  step: Step,
  record: Json,
  { origin, position }: { readonly origin: readonly string[]; readonly position: Position | null },
): Json {
  const { to, variation } = step;
  if (to === null) {
    lose(position, origin, 'left out');
    return withoutTaken(step, bareOf(step, record), position);
  }
  const value = valueAt(record, origin);
  const inner = step.below === null ? value : valueIn(step.below, value, below(position, origin));
  if (inner === undefined) return bareOf(step, record);
  if (isSettled(step, record, origin)) {
    // Most fields stand where they belong, and stay there as they are.
    const { write } = variation;
    const said = write === undefined ? inner : write(inner, { standing: value, object: record });
    if (said === value) return record;
  }
  const bare = bareOf(step, record);
  const result = written(step, bare, inner);
  if (result === bare) lose(position, origin, 'left out');
  else if (variation.isLossy === true) {
    const alone = variation.write?.(inner, { standing: undefined, object: bare });
    loseTo(to, position, { origin, alone, before: bare, result });
  }
  return result;
}

/** Whether a field stands in its place of this version, and nowhere else. */
function isSettled({ from, to }: Step, record: Json, origin: readonly string[]): boolean {
  if (origin.length !== to?.length || origin.some((step, index) => step !== to[index]))
    return false;
  for (const place of from) {
    if (place !== origin && valueAt(record, place) !== undefined) return false;
  }
  return true;
}

function bareOf({ from }: Step, record: Json): Json {
  let bare = record;
  for (const place of from) if (valueAt(bare, place) !== undefined) bare = without(bare, place);
  return bare;
}

/** The object with a value where the version has it; as it is where the version cannot say it. */
function written({ to, variation, isMade }: Step, record: Json, inner: unknown): Json {
  if (to === null) return record;
  const { write } = variation;
  const around = { standing: valueAt(record, to), object: record };
  const value = write === undefined ? inner : write(inner, around);
  return value === undefined ? record : (placed(record, to, { value, isMade }) ?? record);
}

/** Another field says it: what is said there already may be another thing then. */
function loseTo(
  to: readonly string[],
  position: Position | null,
  {
    origin,
    alone,
    before,
    result,
  }: {
    readonly origin: readonly string[];
    /** What would be said if nothing was said there already. */
    readonly alone: unknown;
    readonly before: Json;
    readonly result: Json;
  },
): void {
  const said = valueAt(result, to);
  const standing = valueAt(before, to);
  const isSaid = said !== standing || Equal(said, alone);
  lose(position, origin, isSaid ? `said as ${to.join('/')}` : 'left out');
  if (standing === undefined || standing === said) return;
  lose(position, to, `said with ${origin.join('/')}`);
}

/** What means nothing without the field goes with it. */
function withoutTaken({ variation }: Step, record: Json, position: Position | null): Json {
  let rest = record;
  for (const name of variation.takes ?? []) {
    if (rest[name] === undefined) continue;
    lose(position, [name], 'left out');
    rest = without(rest, [name]);
  }
  return rest;
}

function below(position: Position | null, place: readonly string[]): Position | null {
  return position && { ...position, pointer: `${position.pointer}/${place.join('/')}` };
}

function lose(position: Position | null, place: readonly string[], became: string): void {
  if (position === null) return;
  const { pointer, lost, version } = position;
  const at = [pointer, ...place].join('/');
  lost.push({ pointer: at, message: `${version} cannot say it: ${became}.` });
}
