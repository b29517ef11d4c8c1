import { registerApplications, type ApplicationParts } from './applications/routes.ts';
import { registerApplicationTokens } from './applications/tokens.ts';
import type { Endpoints } from './endpoints.ts';
import { registerReportingTokens } from './reporting-tokens/routes.ts';
import type { UserParts } from './users/link-routes.ts';
import { registerUsers } from './users/routes.ts';

export interface IdentityParts extends UserParts, ApplicationParts {}

/** Who uses the exchange, and what they prove it with. */
export function registerIdentities(endpoints: Endpoints, parts: IdentityParts): void {
  registerUsers(endpoints, parts);
  registerApplications(endpoints, parts);
  registerApplicationTokens(endpoints, parts);
  registerReportingTokens(endpoints, parts);
}
