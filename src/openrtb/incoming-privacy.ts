import { addProblem, type Explanation } from './explain.ts';
import { isRecord } from './schema-node.ts';
import { isUsPrivacy, US_PRIVACY_ALLOWED } from './us-privacy.ts';
import { describeFound } from './wording.ts';

/** What a privacy signal has to be for somebody to read it. */
interface Readable {
  readonly test: (value: unknown) => boolean;
  /** In words, after "allowed is". */
  readonly allowed: string;
}

const FLAGS: ReadonlySet<unknown> = new Set([0, 1, '0', '1', true, false]);

const FLAG: Readable = { test: (value) => FLAGS.has(value), allowed: '0 or 1' };
const TEXT: Readable = { test: (value) => typeof value === 'string', allowed: 'a text' };
/** An empty one says nothing, as everywhere. */
const US_PRIVACY: Readable = {
  test: (value) => value === '' || isUsPrivacy(value),
  allowed: US_PRIVACY_ALLOWED,
};
const SECTIONS: Readable = {
  test: (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
  allowed: 'a list of section ids, which are whole numbers',
};
const OBJECT: Readable = { test: isRecord, allowed: 'an object' };

/** The signals by the object that has them: in its `ext` as of OpenRTB 2.5, itself as of 2.6. */
const SIGNALS = {
  regs: { gdpr: FLAG, us_privacy: US_PRIVACY, gpp: TEXT, gpp_sid: SECTIONS },
  user: { consent: TEXT },
} as const satisfies Record<string, Record<string, Readable>>;

/**
 * Adds every privacy signal that nobody can read. To take one for unsaid would be to take a user who
 * may have refused for one who was never asked. A null counts as unsaid, as everywhere; what stands
 * inside a consent string is judged where it is read (`privacy/consent-string.ts`).
 */
export function explainPrivacySignals(
  request: Readonly<Record<string, unknown>>,
  explanation: Explanation,
): void {
  for (const [name, signals] of Object.entries(SIGNALS)) {
    const holder = request[name];
    if (!isRecord(holder)) continue;
    const ext = holder['ext'];
    const inExt = isRecord(ext) ? ext : {};
    explainSignal(ext, OBJECT, `/${name}/ext`, explanation);
    for (const [signal, readable] of Object.entries(signals)) {
      explainSignal(holder[signal], readable, `/${name}/${signal}`, explanation);
      explainSignal(inExt[signal], readable, `/${name}/ext/${signal}`, explanation);
    }
  }
}

function explainSignal(
  value: unknown,
  { test, allowed }: Readable,
  pointer: string,
  explanation: Explanation,
): void {
  if (value === undefined || value === null || test(value)) return;
  const message = `Found ${describeFound(value)}; allowed is ${allowed}, because privacy depends on it.`;
  addProblem(explanation, { pointer, message });
}
