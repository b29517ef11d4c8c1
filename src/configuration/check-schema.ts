import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { MORE_FINDINGS, PROBLEMS_MAX, showValue, type Finding, type Path } from './finding.ts';

interface Validator {
  Type(): TSchema;
  Check(value: unknown): boolean;
  Errors(value: unknown): TLocalizedValidationError[];
}

/**
 * Everything that a schema has against a value, at most one finding for each path. The message is
 * made of the description of the schema that was broken: see `fields.ts`.
 */
export function checkSchema(validator: Validator, value: unknown): readonly Finding[] {
  // Listing errors takes ten times as long, and most elements have none.
  if (validator.Check(value)) return [];
  const findings = new Map<string, Finding>();
  const errors = allErrors(validator, value);
  if (errors.length >= PROBLEMS_MAX) findings.set('', MORE_FINDINGS);
  for (const error of errors) {
    for (const finding of explain(error, validator.Type(), value)) {
      const key = JSON.stringify(finding.path);
      if (!findings.has(key)) findings.set(key, finding);
    }
  }
  return [...findings.values()];
}

/** TypeBox stops at eight errors unless its process-wide setting says otherwise. */
function allErrors(validator: Validator, value: unknown): TLocalizedValidationError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: PROBLEMS_MAX });
  try {
    return validator.Errors(value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

function explain(error: TLocalizedValidationError, root: unknown, document: unknown): Finding[] {
  const path = pathOf(error.instancePath, document);
  const schema = resolve(root, error.schemaPath.slice(1));
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((key) => ({
      path: [...path, key],
      message: unknownKey(key, schema),
    }));
  }
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((key) => ({
      path: [...path, key],
      message: `is missing; it must be ${description(member(member(schema, 'properties'), key))}`,
    }));
  }
  // "boolean" tells a second time that no other key is allowed. What a nullable field has against a
  // value is told for each of its members, of which null is not worth a word.
  const isEcho = error.keyword === 'boolean' || error.keyword === 'anyOf';
  if (isEcho || (error.keyword === 'type' && error.params.type === 'null')) return [];
  const isSecret = member(schema, 'writeOnly') === true || member(schema, 'format') === 'password';
  const found = isSecret ? '' : `, found ${showAt(document, path)}`;
  return [{ path, message: `must be ${description(schema)}${found}` }];
}

function unknownKey(key: string, schema: unknown): string {
  const properties = member(schema, 'properties');
  const allowed =
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  if (member(schema, 'patternProperties') !== undefined) {
    return `is no name that can stand here; this must be ${description(schema)}`;
  }
  const title = member(schema, 'title');
  const place = typeof title === 'string' ? title : 'this mapping';
  const near = allowed.find((candidate) => isNear(candidate, key));
  const right = near === undefined ? known(allowed) : `did you mean "${near}"?`;
  return `is not a key of ${place}; ${right}`;
}

function known(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'it takes none' : `the keys are ${allowed.join(', ')}`;
}

/** Whether two keys differ by a slip: one letter more, fewer, other or swapped, or - for _. */
function isNear(right: string, written: string): boolean {
  const [a, b] = [right, written.toLowerCase().replaceAll('-', '_')];
  if (a === b || `${a}s` === b || a === `${b}s`) return true;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = `${restB[1] ?? ''}${restB[0] ?? ''}${restB.slice(2)}`;
  return (
    a.length > 2 &&
    (restA.slice(1) === restB.slice(1) ||
      restA.slice(1) === restB ||
      restA === restB.slice(1) ||
      restA === swapped)
  );
}

function description(schema: unknown): string {
  const text = member(schema, 'description') ?? member(firstMember(schema), 'description');
  return typeof text === 'string' ? text : 'something else';
}

/** The value of a nullable field is described by what it is when it is not null. */
function firstMember(schema: unknown): unknown {
  const members = member(schema, 'anyOf');
  return Array.isArray(members) ? members[0] : undefined;
}

function showAt(document: unknown, path: Path): string {
  let value = document;
  for (const segment of path) value = member(value, segment);
  return showValue(value);
}

/** JSON pointer to path; whether a segment is a position in a list shows in the document. */
function pathOf(pointer: string, document: unknown): Path {
  const path: (string | number)[] = [];
  let value = document;
  for (const text of segmentsOf(pointer)) {
    const segment = Array.isArray(value) ? Number(text) : text;
    path.push(segment);
    value = member(value, segment);
  }
  return path;
}

function resolve(root: unknown, pointer: string): unknown {
  let schema = root;
  for (const segment of segmentsOf(pointer)) schema = member(schema, segment);
  return schema;
}

/** RFC 6901 section 4. */
function segmentsOf(pointer: string): string[] {
  const escaped = pointer.split('/').slice(1);
  return escaped.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function member(holder: unknown, key: string | number): unknown {
  const has = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key);
  return has ? Reflect.get(holder, key) : undefined;
}
