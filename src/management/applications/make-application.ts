import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createApplication, type By } from '../../configuration/applications.ts';
import type { Database } from '../../configuration/schema.ts';
import { createRandomSecret } from '../../identity/random-secret.ts';
import type { SecretHasher } from '../../identity/secret-hasher.ts';

/** What begins every secret that the exchange makes, so that one that is found can be told. */
export const SECRET_MARK = 'rialto_secret_';

/** Nobody guesses a client id, and it need not be secret. */
const CLIENT_ID_BYTES = 12;

export interface MadeApplication {
  readonly row: Database['applications'];
  /** To be shown once: it is stored as a hash. */
  readonly secret: string;
}

/** Makes an application of a user with a secret; null where they have as many as anybody may. */
export async function makeApplication(
  { db, hashSecret }: { readonly db: Kysely<Database>; readonly hashSecret: SecretHasher },
  { userId, name }: { readonly userId: number; readonly name: string },
  by: By,
): Promise<MadeApplication | null> {
  const secret = createRandomSecret(SECRET_MARK);
  const made = {
    user_id: userId,
    name,
    client_id: `app-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`,
    secret_hash: await hashSecret(secret),
  };
  const row = await createApplication(db, made, by);
  return row === null ? null : { row, secret };
}
