import Type, { type Static } from 'typebox';
import { createRandomSecret } from '../../identity/random-secret.ts';
import { NAME, mapping } from '../../resources/vocabulary.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';

/** RFC 6749 appendix A.1 allows more, but a colon or a percent sign breaks HTTP Basic in many clients. */
const CLIENT_ID = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z0-9._~-]+$',
  description: 'a client id of 1 to 128 letters, digits and . _ ~ -',
});

/** RFC 6749 appendix A.2: printable ASCII. */
const CLIENT_SECRET = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: '^[\\x20-\\x7e]+$',
  writeOnly: true,
  description: 'a text of 8 to 256 printable ASCII characters, in quotes if it is a number',
});

/** What a user's program signs in with. */
export const ApplicationSchema = mapping('an application', {
  name: Type.Optional(NAME),
  client_id: CLIENT_ID,
  client_secret: Type.Optional(CLIENT_SECRET),
});

export type ApplicationInput = Static<typeof ApplicationSchema>;

/** An application without its secret. */
function applicationDocument(row: Row<'applications'>) {
  return { client_id: row.client_id, name: row.name, user_id: row.user_id };
}

/**
 * A secret is set when the application is made; a file never rolls it. One that comes without it, as an
 * export has it, gets one that nobody knows: its user makes another.
 */
export function planApplication(
  plan: Plan,
  element: Element<ApplicationInput>,
  email: string,
): void {
  const { input, path } = element;
  const user = plan.state.users.get(email);
  // The user was refused, which is said there.
  if (user === undefined) return;
  const stored = plan.state.applications.get(input.client_id);
  if (stored === undefined) plan.require(element, ['name']);
  else if (stored.user_id !== user.id) {
    plan.find([...path, 'client_id'], `is taken: "${input.client_id}" belongs to another user`);
    return;
  }
  const next: Row<'applications'> = {
    id: stored?.id ?? plan.nextId('applications', plan.state.applications.values()),
    user_id: user.id,
    name: input.name ?? stored?.name ?? '',
    client_id: input.client_id,
    secret_hash: stored?.secret_hash ?? '',
    previous_secret_hash: stored?.previous_secret_hash ?? null,
    previous_secret_until: stored?.previous_secret_until ?? null,
  };
  const secret = newSecret(plan, element, stored);
  const names = { noun: 'application', name: input.client_id, document: applicationDocument };
  plan.state.applications.set(
    input.client_id,
    plan.save({ table: 'applications', stored, next, path, secret, ...names }),
  );
}

/** What a new one is given; that of one that is there is compared. */
function newSecret(
  plan: Plan,
  { input, path, unsound }: Element<ApplicationInput>,
  stored: Row<'applications'> | undefined,
): { column: 'secret_hash'; plain: string } | undefined {
  const plain = input.client_secret;
  if (stored !== undefined) {
    if (plain === undefined) return undefined;
    const hash = stored.secret_hash;
    plan.secretsToCompare.push({ path: [...path, 'client_secret'], plain, hash });
    return undefined;
  }
  if (plain === undefined && !unsound.has('client_secret')) {
    plan.note(path, 'has no client_secret: nobody gets a token with it until its user makes one');
  }
  return { column: 'secret_hash', plain: plain ?? createRandomSecret('') };
}
