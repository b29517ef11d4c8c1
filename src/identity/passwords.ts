import crypto, { randomBytes, timingSafeEqual } from 'node:crypto';

/** The functions that a secret may be hashed with; the first one is used where this Node has it. */
export type HashAlgorithm = 'argon2id' | 'scrypt';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 25 ms of a core. */
const ARGON2_MEMORY_KIB = 19_456;
const ARGON2_PASSES = 2;
const ARGON2_LANES = 1;
const ARGON2_VERSION = 19;

/** OWASP's choice for scrypt: N = 2^17, r = 8, p = 1. */
const SCRYPT_LOG_N = 17;
const SCRYPT_BLOCK_SIZE = 8;
const SCRYPT_LANES = 1;

/** No stored hash may make this process spend more memory than this on one verification. */
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;

/** The cost parameters of a hash by their names in the PHC string. */
export type HashCosts = ReadonlyMap<string, number>;

interface StoredHash {
  readonly algorithm: HashAlgorithm;
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly costs: HashCosts;
}

/**
 * Hashes a password or client secret for storage, off the event loop.
 *
 * @param costs other costs than OWASP's, for tests that are not about them.
 * @returns a PHC string that carries algorithm, costs and salt, such as
 *   `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
 */
export async function hashSecret(
  plain: string,
  algorithm: HashAlgorithm = preferredAlgorithm(),
  costs: HashCosts = defaultCosts(algorithm),
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return showHash(plain, { algorithm, salt, costs, hash: Buffer.alloc(HASH_BYTES) });
}

/**
 * Hashes the secret that is to take a stored one's place, with the salt of that one, so that both
 * are verified by one derivation, and nobody sees by its duration that there are two. Two secrets of
 * the same client share a salt; those of two clients never do. A stored hash of other costs than
 * those of today lends no salt.
 *
 * @throws Error as `verifySecret`.
 */
export async function hashSecretLike(plain: string, stored: string): Promise<string> {
  const parsed = parseStored(stored);
  const { algorithm, costs, hash } = parsed;
  const isOfToday =
    algorithm === preferredAlgorithm() &&
    hash.length === HASH_BYTES &&
    showCosts(costs) === showCosts(defaultCosts(algorithm));
  return isOfToday ? showHash(plain, parsed) : hashSecret(plain);
}

/**
 * Whether a secret is the stored one, off the event loop and in time that does not depend on where
 * the two differ. A stored value of null is a user who has no secret: see `verifyAnySecret`.
 *
 * @throws Error when the stored value is no hash that `hashSecret` could have made.
 */
export async function verifySecret(plain: string, stored: string | null): Promise<boolean> {
  return verifyAnySecret(plain, stored === null ? [] : [stored]);
}

/**
 * Whether a secret is one of the stored ones. None are those of a user or application that does not
 * exist or has no secret: the answer is no, and takes as long as for one that has. All are compared
 * also after one was right, so that the time does not tell which.
 *
 * @throws Error as `verifySecret`.
 */
export async function verifyAnySecret(plain: string, stored: readonly string[]): Promise<boolean> {
  if (stored.length === 0) {
    await hashSecret(plain);
    return false;
  }
  const all = stored.map(parseStored);
  let right = false;
  for (const alike of Map.groupBy(all, derivationOf).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const derived = await derive(plain, first);
    for (const { hash } of alike) right = timingSafeEqual(derived, hash) || right;
  }
  return right;
}

/** What two hashes have in common that one derivation serves. */
function derivationOf({ algorithm, salt, costs, hash }: StoredHash): string {
  return [algorithm, showCosts(costs), salt.toString('hex'), hash.length].join(' ');
}

/** The PHC string of a secret under a hash's salt and costs. */
async function showHash(plain: string, under: StoredHash): Promise<string> {
  const { algorithm, salt, costs } = under;
  const hash = await derive(plain, under);
  const version = algorithm === 'argon2id' ? `$v=${ARGON2_VERSION}` : '';
  return `$${algorithm}${version}$${showCosts(costs)}$${unpadded(salt)}$${unpadded(hash)}`;
}

function showCosts(costs: HashCosts): string {
  return [...costs].map(([name, value]) => `${name}=${value}`).join(',');
}

/** A Node that is linked with an older OpenSSL has no argon2. */
function preferredAlgorithm(): HashAlgorithm {
  return 'argon2' in crypto ? 'argon2id' : 'scrypt';
}

function defaultCosts(algorithm: HashAlgorithm): HashCosts {
  return algorithm === 'argon2id'
    ? new Map([
        ['m', ARGON2_MEMORY_KIB],
        ['t', ARGON2_PASSES],
        ['p', ARGON2_LANES],
      ])
    : new Map([
        ['ln', SCRYPT_LOG_N],
        ['r', SCRYPT_BLOCK_SIZE],
        ['p', SCRYPT_LANES],
      ]);
}

function derive(plain: string, { algorithm, salt, costs, hash }: StoredHash): Promise<Buffer> {
  // Keyboards differ in how they compose the same letter (RFC 8265 section 4.2.2 asks for NFC).
  const message = Buffer.from(plain.normalize('NFC'), 'utf8');
  const cost = (name: string): number => costs.get(name) ?? 0;
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => {
      if (error === null) resolve(key);
      else reject(error);
    };
    if (algorithm === 'argon2id') {
      const memory = cost('m');
      const parameters = { memory, passes: cost('t'), parallelism: cost('p') };
      crypto.argon2(
        'argon2id',
        { message, nonce: salt, tagLength: hash.length, ...parameters },
        done,
      );
    } else {
      const options = { N: 2 ** cost('ln'), r: cost('r'), p: cost('p'), maxmem: MEMORY_MAX_BYTES };
      crypto.scrypt(message, salt, hash.length, options, done);
    }
  });
}

const PHC =
  /^\$(argon2id|scrypt)(?:\$v=19)?\$([a-z]+=\d{1,7}(?:,[a-z]+=\d{1,7}){2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function parseStored(stored: string): StoredHash {
  const [, algorithm, parameters = '', salt = '', hash = ''] = PHC.exec(stored) ?? [];
  const costs = new Map<string, number>();
  for (const parameter of parameters.split(',')) {
    const [name = '', value = ''] = parameter.split('=');
    costs.set(name, Number(value));
  }
  if (
    (algorithm !== 'argon2id' && algorithm !== 'scrypt') ||
    [...defaultCosts(algorithm).keys()].some((name) => !costs.has(name)) ||
    memoryBytes(algorithm, costs) > MEMORY_MAX_BYTES
  ) {
    // The value itself stays out of the message, since messages are logged.
    throw new Error('a stored secret is not a hash that this version of Rialto can read');
  }
  return {
    algorithm,
    costs,
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function memoryBytes(algorithm: HashAlgorithm, costs: ReadonlyMap<string, number>): number {
  const cost = (name: string): number => costs.get(name) ?? 0;
  return algorithm === 'argon2id' ? cost('m') * 1024 : 128 * 2 ** cost('ln') * cost('r');
}

/** PHC strings are in base64 without padding. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
