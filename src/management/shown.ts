import Type, { type TObject, type TProperties } from 'typebox';

/** An instant as the management API writes it: RFC 3339 in UTC, with milliseconds. */
export const INSTANT = Type.String({
  format: 'date-time',
  description: 'an instant in UTC such as 2026-11-20T08:15:00.000Z',
});

/** The form in which a resource is shown: all keys there, and when it was made and changed. */
export function shownSchema<Properties extends TProperties>(title: string, properties: Properties) {
  return Type.Object(
    {
      ...Type.Required(Type.Object(properties)).properties,
      created_at: INSTANT,
      updated_at: INSTANT,
    },
    { title, additionalProperties: false },
  ) satisfies TObject;
}

interface Times {
  /** Unix milliseconds. */
  readonly created_at: number;
  readonly updated_at: number;
}

/** The last two keys of every resource. */
export function shownTimes({ created_at, updated_at }: Times) {
  return { created_at: showInstant(created_at), updated_at: showInstant(updated_at) };
}

/** @param ms Unix time in milliseconds. */
export function showInstant(ms: number): string {
  return new Date(ms).toISOString();
}
