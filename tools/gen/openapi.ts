import { allEndpoints } from '../../src/management/all-endpoints.ts';
import { apiDocument } from '../../src/roles/api-document.ts';

/** `docs/reference/openapi.json`: what `GET /openapi.json` of control answers with. */
export async function openapiReference(): Promise<string> {
  return `${JSON.stringify(apiDocument(await allEndpoints()), null, 2)}\n`;
}
