import { createConfig, lintFromString, type RawUniversalConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { SourceFile, Violation } from './source.ts';

export const API_DESCRIPTION = 'docs/reference/openapi.json';

const RULES: RawUniversalConfig = {
  extends: ['recommended'],
  rules: {
    // Addresses of the management API end with a slash, as its specification has them.
    'no-path-trailing-slash': 'off',
    // Each exchange serves the document with its own address in that place.
    'no-server-example.com': 'off',
    // The names of the tags say what a sentence would repeat.
    'tag-description': 'off',
  },
};

/** The description of the API is sound to two readers that know nothing of each other: Redocly and JSON Schema. */
export async function apiDescription(files: readonly SourceFile[]): Promise<Violation[]> {
  const file = files.find(({ path }) => path === API_DESCRIPTION);
  // That it is missing is for `parity` to say.
  if (file === undefined) return [];
  const fault = (message: string): Violation => ({ path: file.path, line: 1, message });
  const config = await createConfig(RULES);
  const problems = await lintFromString({
    source: file.text,
    absoluteRef: file.path,
    config,
  });
  const { valid, errors } = await new Validator().validate(file.text);
  return [
    ...problems.map(({ ruleId, message, location: [place] }) =>
      fault(`${place?.pointer ?? '#'}: ${message} (${ruleId})`),
    ),
    ...(valid ? [] : [fault(`no OpenAPI 3.1: ${JSON.stringify(errors)}`)]),
  ];
}
