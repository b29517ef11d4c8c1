import Type, { type Static } from 'typebox';
import { FieldChangeSchema } from '../field-change-schema.ts';
import { INSTANT } from '../shown.ts';

/** One that is missing, or one too many, does not compile where entries are shown and asked for. */
const ACTIONS = [
  'created',
  'updated',
  'deleted',
  'rolled',
  'revoked',
  'stopped',
  'started',
  'invited',
  'tested',
  'signed_in',
  'code_asked',
  'sign_in_failed',
] as const;

/** What was done to a resource. */
export const ACTION = Type.Enum([...ACTIONS], { description: `one of ${ACTIONS.join(', ')}` });

/** One line of the audit log. */
export const ShownAuditEntrySchema = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'the higher, the later' }),
    at: INSTANT,
    actor: Type.String({
      description:
        'an e-mail address, or what acted on the machine itself; of a failed sign-in the address that was given',
    }),
    user_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'the user; null for what acted on the machine itself, and for a failed sign-in',
    }),
    client_id: Type.Union([Type.String(), Type.Null()], {
      description: 'the application whose token was used; null without one',
    }),
    action: ACTION,
    resource: Type.String({ description: 'the kind of what was changed, such as line item' }),
    resource_id: Type.String({ description: 'its id, or the name that it goes by' }),
    name: Type.Union([Type.String(), Type.Null()], {
      description:
        'what it is called now, and of a bidder or an account its owner; null where `resource_id` is its name',
    }),
    demand_partner_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'the demand partner that it is, or belongs to',
    }),
    publisher_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'the publisher that it is, or belongs to',
    }),
    changes: Type.Array(FieldChangeSchema, {
      description:
        'the keys that changed, without any secret; of a sign-in the client’s `address` and the `outcome`: accepted, refused, throttled, busy or code_refused; of a test request its `outcome`',
    }),
  },
  { title: 'AuditEntry', additionalProperties: false },
);

export type ShownAuditEntry = Static<typeof ShownAuditEntrySchema>;
