import { mapInside, type JsonObject } from './plain-schema.ts';

/**
 * Gives schemas with a title a place of their own, so that each is shown once. A title in the form
 * of a type (`LineItem`) is a name as it stands; one in words (`a line item`) becomes one. Different
 * schemas with the same title stay where they are.
 */
export class NamedSchemas {
  /** What each name stands for, as JSON; several where a name is not clear. */
  readonly #forms = new Map<string, Map<string, JsonObject>>();

  /** Takes notice of a schema and of all inside it. Every one has to be noted before the first is named. */
  note(schema: JsonObject): void {
    const { title } = schema;
    if (typeof title === 'string' && title !== '') {
      const forms = this.#forms.get(title) ?? new Map<string, JsonObject>();
      this.#forms.set(title, forms.set(JSON.stringify(schema), schema));
    }
    mapInside(schema, (inner) => {
      this.note(inner);
      return inner;
    });
  }

  /** The schema with references in the place of those that have a name. */
  refer(schema: JsonObject): JsonObject {
    const name = this.#nameOf(schema);
    return name === null ? this.#referInside(schema) : { $ref: `#/components/schemas/${name}` };
  }

  /** Every schema with a name, in the order of the names. */
  components(): JsonObject {
    const named: [string, JsonObject][] = [];
    for (const forms of this.#forms.values()) {
      for (const schema of forms.values()) {
        const name = this.#nameOf(schema);
        if (name !== null) named.push([name, this.#referInside(schema)]);
      }
    }
    return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #referInside(schema: JsonObject): JsonObject {
    return mapInside(schema, (inner) => this.refer(inner));
  }

  #nameOf({ title }: JsonObject): string | null {
    if (typeof title !== 'string' || this.#forms.get(title)?.size !== 1) return null;
    if (isTypeName(title)) return title;
    const name = typeName(title);
    const others = [...this.#forms.keys()].filter((each) => each !== title);
    if (others.some((each) => !isTypeName(each) && typeName(each) === name)) return null;
    return others.includes(name) ? `${name}Input` : name;
  }
}

function isTypeName(title: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/.test(title);
}

/** `a line item` as `LineItem`. */
function typeName(title: string): string {
  return title
    .replace(/^(?:an?|the|this) /, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
