import Type, { type Static } from 'typebox';
import { FieldChangeSchema } from '../field-change-schema.ts';

const NoteSchema = Type.Object(
  {
    pointer: Type.String({ description: 'where in the file, as a JSON pointer (RFC 6901)' }),
    message: Type.String(),
    line: Type.Integer({ minimum: 1 }),
    column: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);

/** What a file came to. */
export const AppliedSchema = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'how many resources are new' }),
    updated: Type.Integer({ minimum: 0, description: 'how many have changed' }),
    unchanged: Type.Integer({ minimum: 0, description: 'how many were as the file says' }),
    version: Type.String({ description: 'the version of the configuration, EPOCH.SEQ' }),
    changes: Type.Array(
      Type.Object(
        {
          action: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
          resource: Type.String({ description: 'the kind of what is new or has changed' }),
          resource_id: Type.String({ description: 'its id, or the name that it goes by' }),
          fields: Type.Array(FieldChangeSchema, {
            description: 'of what has changed, the keys that did; empty for what is new',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    notes: Type.Array(NoteSchema, {
      description: 'what the file asks for and does not get, or may not mean',
    }),
  },
  { title: 'Applied', additionalProperties: false },
);

export type AppliedAnswer = Static<typeof AppliedSchema>;
