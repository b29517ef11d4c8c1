import type { Endpoints } from '../endpoints.ts';
import type { SubscriptionParts } from './channel-api.ts';
import { registerChannel } from './channel-routes.ts';
import { emailRecipients } from './email-recipients.ts';
import { registerSecretRoll, WEBHOOKS } from './webhooks.ts';

/** Whoever is told what has changed, so that nobody has to ask for it again and again. */
export function registerSubscriptions(endpoints: Endpoints, parts: SubscriptionParts): void {
  registerChannel(endpoints, WEBHOOKS, parts);
  registerSecretRoll(endpoints, parts);
  registerChannel(endpoints, emailRecipients(parts), parts);
}
