import { jsonText, type JsonObject } from '../../openapi/plain-schema.ts';
import { members, objectAt, objectsAt, textAt } from './document-reader.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** An operation as the page goes through them. */
export interface ShownOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** A command for a shell that calls an operation with its example. Lines are continued by `\`. */
export function curlOf({ method, path, operation }: ShownOperation, address: string): string {
  const [type, content] = members(objectAt(objectAt(operation, 'requestBody'), 'content'))[0] ?? [];
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quote(`${address}${filledPath(path, operation)}`)}`,
  ];
  const isForm = type === FORM_TYPE;
  if (schemeOf(operation) === 'accessToken') lines.push('-H "Authorization: Bearer $TOKEN"');
  if (type !== undefined && !isForm) lines.push(`-H ${quote(`Content-Type: ${type}`)}`);
  const example = content?.['example'];
  if (example !== undefined && isForm) {
    for (const [name, value] of Object.entries(objectAt({ example }, 'example'))) {
      lines.push(`-d ${quote(`${name}=${jsonText(value)}`)}`);
    }
  } else if (example !== undefined && type !== undefined) {
    // JSON is written as such, other text as it is.
    const text = /[/+]json\b/.test(type) ? JSON.stringify(example) : jsonText(example);
    lines.push(`-d ${quote(text)}`);
  }
  return lines.join(' \\\n  ');
}

/** The name of the scheme that an operation asks for. */
export function schemeOf(operation: JsonObject): string {
  return Object.keys(objectsAt(operation, 'security')[0] ?? {})[0] ?? '';
}

/**
 * With the examples of its parameters; of the query those alone that have to be there, unless one out
 * of several has to.
 */
function filledPath(path: string, operation: JsonObject): string {
  const parameters = objectsAt(operation, 'parameters');
  let filled = path;
  const needsOne = !parameters.some((each) => isInQuery(each) && each['required'] === true);
  const query = new URLSearchParams();
  if (schemeOf(operation) === 'accountToken') query.set('account_auth_token', 'ACCOUNT_TOKEN');
  for (const parameter of parameters) {
    const name = textAt(parameter, 'name');
    const example = jsonText(parameter['example'] ?? '');
    const isNeeded = needsOne ? example !== '' : parameter['required'] === true;
    if (textAt(parameter, 'in') === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(example));
    else if (isInQuery(parameter) && isNeeded) query.set(name, example);
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function isInQuery(parameter: JsonObject): boolean {
  return textAt(parameter, 'in') === 'query';
}

/** A word for a shell: within single quotes nothing has a meaning but the next of them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
