import type { StaticEncode, TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { RialtoError } from '../base/errors.ts';
import { ownField } from '../base/fields.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { Finding } from '../configuration/finding.ts';
import type { Element } from '../configuration/plan.ts';
import type { Caller } from '../identity/caller.ts';
import type { Fields, FieldTable } from '../resources/field-table.ts';
import { invalidRequest, problemsOf } from './endpoints.ts';
import { isObject, mergePatch } from './merge-patch.ts';

/** What bodies about one kind of resource may say. */
export interface BodyRules<Schema extends TObject> {
  /** `line item`, for messages. */
  readonly noun: string;
  /** What can be set. */
  readonly schema: Schema;
  /** What is shown; keys that stand here alone are given by the exchange. */
  readonly shown: TObject;
  /** What a new one cannot be made without, its id aside, and what only operators change. */
  readonly fields: Pick<FieldTable<Fields>, 'needed' | 'operators'>;
}

/** Reads the bodies that make or change resources of one kind. */
export class BodyReader<Schema extends TObject> {
  readonly #rules: BodyRules<Schema>;
  readonly #validator: Validator<{}, Schema>;

  constructor(rules: BodyRules<Schema>) {
    this.#rules = rules;
    this.#validator = Compile(rules.schema);
  }

  /**
   * The resource that a body makes.
   *
   * @param newId the id that the exchange gives it; undefined where the body chooses it.
   * @throws RialtoError with all that is wrong.
   */
  readNew(body: unknown, caller: Caller, newId: number | undefined): Element<StaticEncode<Schema>> {
    const given = this.#read(body, null, newId === undefined);
    this.#refuseOperatorKeys(given.keys, null, caller);
    const id = newId === undefined ? {} : { id: newId };
    const { noun, fields } = this.#rules;
    const missing = fields.needed
      .filter((key) => !Object.hasOwn(given.keys, key))
      .map((key) => ({ path: [key], message: `is missing; a new ${noun} needs it` }));
    return this.#element({ ...given.keys, ...id }, [...given.findings, ...missing]);
  }

  /**
   * The keys that a JSON Merge Patch changes, as they are afterwards.
   *
   * @param before the resource as it is shown; null where the patch makes it.
   * @param id what names it; nothing where its address alone does.
   * @throws RialtoError with all that is wrong.
   */
  readPatch(
    body: unknown,
    { before, id, caller }: { before: object | null; id: object; caller: Caller },
  ): Element<StaticEncode<Schema>> {
    const patch = this.#read(body, before, false);
    this.#refuseOperatorKeys(patch.keys, before, caller);
    const changed = Object.entries(patch.keys).map(([key, value]) => [
      key,
      value === null ? null : mergePatch(ownField(before, key), value),
    ]);
    return this.#element({ ...Object.fromEntries(changed), ...id }, patch.findings);
  }

  /**
   * The keys of a body that can be changed. What cannot may come back as it is, so that a resource
   * may be got, edited and sent as a whole.
   */
  #read(body: unknown, before: object | null, choosesId: boolean): Given {
    if (!isObject(body)) {
      throw invalidRequest([{ path: [], message: 'must be a JSON object with the keys to set' }]);
    }
    const findings: Finding[] = [];
    const keys = Object.entries(body).filter(([key, value]) => {
      if (!this.#isGiven(key) || (key === 'id' && choosesId)) return true;
      if (!isSame(value, ownField(before, key))) {
        const message = `of a ${this.#rules.noun} is given by the exchange and cannot be set`;
        findings.push({ path: [key], message });
      }
      return false;
    });
    return { keys: Object.fromEntries(keys), findings };
  }

  /** Whether the exchange gives a key its value: times, say, and most ids. */
  #isGiven(key: string): boolean {
    const { schema, shown } = this.#rules;
    if (!Object.hasOwn(shown.properties, key)) return false;
    return key === 'id' || !Object.hasOwn(schema.properties, key);
  }

  #refuseOperatorKeys(given: object, before: object | null, { role }: Caller): void {
    if (role === 'operator') return;
    const refused = this.#rules.fields.operators.filter(
      (key) => Object.hasOwn(given, key) && !isSame(ownField(given, key), ownField(before, key)),
    );
    if (refused.length === 0) return;
    const findings = refused.map((key) => ({ path: [key], message: 'is set by operators only' }));
    throw new RialtoError('forbidden', problemsOf(findings));
  }

  #element(input: object, findings: readonly Finding[]): Element<StaticEncode<Schema>> {
    if (this.#validator.Check(input) && findings.length === 0) {
      return { path: [], input, unsound: new Set() };
    }
    throw invalidRequest([...findings, ...checkSchema(this.#validator, input)]);
  }
}

/** The keys of a body that can be set, and what is wrong with the others. */
interface Given {
  readonly keys: object;
  readonly findings: readonly Finding[];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
