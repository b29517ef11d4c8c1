import { openApiDocument, type OpenApiDocument } from '../openapi/document.ts';
import type { Endpoint } from '../management/endpoint.ts';
import { managementOperations } from '../management/operations.ts';
import { sessionOperations } from '../sign-in/sessions/operations.ts';
import { tokenOperations } from '../sign-in/tokens/operations.ts';
import { reportingOperations } from '../reporting/operations.ts';

/** Where control answers on the machine of whoever reads the reference first. */
const ADDRESS = 'http://localhost:8080';

/** The OpenAPI document of what people's programs use of control: tokens, management, reports. */
export function apiDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
  const operations = [
    ...tokenOperations(),
    ...sessionOperations(),
    ...managementOperations(endpoints),
    ...reportingOperations(),
  ];
  return openApiDocument(operations, {
    title: 'Rialto',
    version: '1',
    description: DESCRIPTION,
    address: ADDRESS,
  });
}

const DESCRIPTION = [
  'The HTTP interfaces of an exchange: access tokens, sessions of browsers, the management API below `/api`, and the daily reports.',
  'Every path answers with and without the slash at its end. Bodies are JSON in UTF-8 unless an operation says otherwise; unknown keys and parameters are refused.',
  'What belongs to somebody else answers exactly like what does not exist.',
].join('\n\n');
