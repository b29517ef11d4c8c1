import Type, { type Static, type TOptional, type TSchema } from 'typebox';
import type { Field } from './field.ts';

/** The fields of a resource by their keys, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Field>>;

/** The columns of a resource's settings. */
export type RowOf<Each extends Fields> = {
  [Key in keyof Each & string as ColumnOf<Key, Each[Key]>]: Each[Key]['initial'];
};

/** A resource's settings in the form that people write, every key there. */
export type DocumentOf<Each extends Fields> = { [Key in keyof Each]: Static<Each[Key]['schema']> };

/** The settings as a snapshot carries them. */
export type EntityOf<Each extends Fields> = Group<Each, null> & {
  readonly [Name in GroupNames<Each>]: Group<Each, Name>;
};

type OptionsOf<One extends Field> = NonNullable<One['options']>;

type ColumnOf<Key extends string, One extends Field> =
  OptionsOf<One> extends { readonly column: infer Name extends string } ? Name : Key;

type EntityKey<Key extends string, One extends Field> =
  OptionsOf<One> extends { readonly entity: infer Name }
    ? Extract<Name, string>
    : CamelCase<ColumnOf<Key, One>>;

type GroupOf<One extends Field> =
  OptionsOf<One> extends { readonly group: infer Name extends string } ? Name : null;

type GroupNames<Each extends Fields> = Extract<
  { [Key in keyof Each]: GroupOf<Each[Key]> }[keyof Each],
  string
>;

type Group<Each extends Fields, Name extends string | null> = {
  readonly [
    Key in keyof Each & string as GroupOf<Each[Key]> extends Name
      ? EntityKey<Key, Each[Key]>
      : never
  ]: ReturnType<Each[Key]['carry']>;
};

type CamelCase<Words extends string> = Words extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Words;

interface WithSchema {
  readonly schema: TSchema;
}

/** The schemas of keys that may all be left out. */
export type Inputs<Each extends Readonly<Record<string, WithSchema>>> = {
  [Key in keyof Each]: TOptional<Each[Key]['schema']>;
};

interface Entry {
  readonly key: string;
  readonly column: string;
  /** Its key in a snapshot. */
  readonly name: string;
  readonly field: Field;
}

/** The columns, and what a snapshot carries, of a resource's table. */
export type ColumnsOf<Table> = Table extends FieldTable<infer Each> ? RowOf<Each> : never;
export type CarriedOf<Table> = Table extends FieldTable<infer Each> ? EntityOf<Each> : never;

/** A column as a table is made with it. */
export interface Column {
  readonly name: string;
  readonly type: Field['type'];
  readonly isNullable: boolean;
}

/**
 * The settings of a kind of resource. What a file and the API may say of it, its row, what is shown
 * of it and what a snapshot carries all come from here, types as well as values. What it belongs to,
 * its id and rules between settings are no fields; `configuration/resources/` adds them.
 */
export class FieldTable<Each extends Fields> {
  readonly fields: Each;
  /** What may be given, for a schema: every key may be left out. */
  readonly inputs: Inputs<Each>;
  /** The row of a new resource of which nothing is said. */
  readonly initial: RowOf<Each>;
  readonly columns: readonly Column[];
  /** Keys that a new one cannot be made without. */
  readonly needed: readonly (keyof Each & string)[];
  /** Keys that only operators change. */
  readonly operators: readonly (keyof Each & string)[];
  readonly #entries: readonly Entry[];
  /** What a snapshot carries, by the object of the entity that it stands in. */
  readonly #carried: ReadonlyMap<string | null, readonly Entry[]>;

  constructor(fields: Each) {
    this.fields = fields;
    const entries = Object.entries<Field>(fields).map(([key, each]) => entryOf(key, each));
    this.#entries = entries;
    const carried = entries.filter(({ field }) => field.options?.entity !== null);
    this.#carried = Map.groupBy(carried, ({ field }) => field.options?.group ?? null);
    this.inputs = optional(fields);
    this.initial = objectOf(entries.map(({ column, field }) => [column, field.initial]));
    this.columns = entries.map(({ column, field }) => ({
      name: column,
      type: field.type,
      isNullable: field.initial === null,
    }));
    this.needed = Object.keys(fields).filter((key) => fields[key]?.options?.isNeeded);
    this.operators = Object.keys(fields).filter((key) => fields[key]?.options?.isOperators);
  }

  /** The columns after what is given; a key that is not given leaves its column as it was. */
  row(input: Partial<DocumentOf<Each>>, before: RowOf<Each>): RowOf<Each> {
    const given = valuesOf(input);
    const stored = valuesOf(before);
    return objectOf(
      this.#entries.map(({ key, column, field }) => {
        const value = given(key);
        return [column, value === undefined ? stored(column) : field.write(value)];
      }),
    );
  }

  /** The form that people write. */
  document(row: RowOf<Each>): DocumentOf<Each> {
    const stored = valuesOf(row);
    return objectOf(
      this.#entries.map(({ key, column, field }) => [key, field.read(stored(column))]),
    );
  }

  /** What a snapshot carries. */
  entity(row: RowOf<Each>): EntityOf<Each> {
    const stored = valuesOf(row);
    const carried = [...this.#carried].map(([group, entries]) => {
      const part = objectOf(
        entries.map(({ name, column, field }) => [name, field.carry(stored(column))]),
      );
      return group === null ? part : { [group]: part };
    });
    return Object.assign({}, ...carried);
  }
}

/** Fields that only operators change. */
export function operatorsOnly<Each extends Fields>(fields: Each): Each {
  return objectOf(
    Object.entries<Field>(fields).map(([key, each]) => [
      key,
      { ...each, options: { ...each.options, isOperators: true } },
    ]),
  );
}

function entryOf(key: string, field: Field): Entry {
  const column = field.options?.column ?? key;
  return { key, column, name: field.options?.entity ?? camelCase(column), field };
}

export function optional<Each extends Readonly<Record<string, WithSchema>>>(
  fields: Each,
): Inputs<Each> {
  return objectOf(Object.entries(fields).map(([key, each]) => [key, Type.Optional(each.schema)]));
}

/** An object that is made key by key, of which the caller's types say the rest. */
export function objectOf(pairs: readonly (readonly unknown[])[]) {
  return Object.fromEntries(pairs);
}

function valuesOf(object: object): (key: string) => unknown {
  return (key) => Reflect.get(object, key);
}

function camelCase(words: string): string {
  return words.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
