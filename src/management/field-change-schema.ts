import Type from 'typebox';

/** One key of a resource before and after a change, without any secret. */
export const FieldChangeSchema = Type.Object(
  {
    field: Type.String(),
    before: Type.Optional(Type.Unknown()),
    after: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
