/**
 * Says in a publisher's engineer's words what a document breaks in a schema. The checks of shapes
 * only answer yes or no, so this runs after one said no, and costs nothing before.
 *
 * The schema library can list errors as well; it visits the whole of a hostile document before it
 * applies its cap (a process-wide setting), and it does not say what was found.
 */
import { jsonPointer, type Problem } from '../base/problem.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';
import { isLonger } from './shape-check.ts';
import { describeAllowed, describeFound } from './wording.ts';

/** Where an explanation goes: it ends when the list is full. */
export interface Explanation {
  readonly problems: Problem[];
  readonly problemsMax: number;
}

/**
 * Adds everything that `value` breaks in `node`. It finds something exactly when the check of
 * the same schema fails, and reads nothing that the schema does not name.
 *
 * @param pointer JSON pointer of the value within its document
 */
export function explain(
  node: SchemaNode,
  value: unknown,
  pointer: string,
  explanation: Explanation,
): void {
  const { problems, problemsMax } = explanation;
  if (problems.length >= problemsMax) return;
  if (!isAllowedByItself(node, value)) {
    const message = `Found ${describeFound(value)}; allowed is ${describeAllowed(node)}.`;
    problems.push({ pointer, message });
  }
  if (Array.isArray(value)) explainItems(node, value, pointer, explanation);
  else if (isRecord(value)) explainProperties(node, value, pointer, explanation);
}

/** Looks at the value alone; what is inside it is looked at afterwards. */
function isAllowedByItself(node: SchemaNode, value: unknown): boolean {
  if (!hasType(node, value)) return false;
  if (node.const !== undefined && value !== node.const) return false;
  if (node.enum !== undefined && !node.enum.includes(value)) return false;
  if (typeof value === 'string') return isTextAllowed(node, value);
  if (typeof value === 'number') {
    return value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity);
  }
  if (Array.isArray(value)) {
    return value.length >= (node.minItems ?? 0) && value.length <= (node.maxItems ?? Infinity);
  }
  if (isRecord(value)) return Object.keys(value).length >= (node.minProperties ?? 0);
  return true;
}

function hasType(node: SchemaNode, value: unknown): boolean {
  if (node.type === undefined) return true;
  const types = typeof node.type === 'string' ? [node.type] : node.type;
  return types.some((type) => isOfType(type, value));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      // JSON.parse reads 1e400 as Infinity, which is no price, size or coordinate.
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function isTextAllowed(node: SchemaNode, value: string): boolean {
  if (value.length < (node.minLength ?? 0)) return false;
  if (node.maxLength !== undefined && isLonger(value, node.maxLength)) return false;
  return node.pattern === undefined || new RegExp(node.pattern).test(value);
}

function explainItems(
  node: SchemaNode,
  values: readonly unknown[],
  pointer: string,
  explanation: Explanation,
): void {
  if (node.items === undefined) return;
  // A list that is too long is told as such; its surplus need not be read.
  const count = Math.min(values.length, node.maxItems ?? values.length);
  for (let index = 0; index < count; index += 1) {
    explain(node.items, values[index], `${pointer}/${index}`, explanation);
    if (explanation.problems.length >= explanation.problemsMax) return;
  }
}

function explainProperties(
  node: SchemaNode,
  record: Readonly<Record<string, unknown>>,
  pointer: string,
  explanation: Explanation,
): void {
  const { properties = {}, required = [] } = node;
  for (const [name, property] of Object.entries(properties)) {
    // The field names of OpenRTB need no escaping in a pointer.
    const at = `${pointer}/${name}`;
    if (record[name] !== undefined) explain(property, record[name], at, explanation);
    else if (required.includes(name)) {
      const message = `This field is required: it must be ${describeAllowed(property)}.`;
      addProblem(explanation, { pointer: at, message });
    }
  }
  if (node.additionalProperties !== false) return;
  for (const name of Object.keys(record)) {
    if (Object.hasOwn(properties, name)) continue;
    const allowed = Object.keys(properties).join(', ') || 'none';
    const message = `Found a field that may not be here; allowed are ${allowed}.`;
    addProblem(explanation, { pointer: pointer + jsonPointer(name), message });
  }
}

/** Adds a problem unless the list is full. */
export function addProblem({ problems, problemsMax }: Explanation, problem: Problem): void {
  if (problems.length < problemsMax) problems.push(problem);
}
