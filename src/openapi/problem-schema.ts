import Type from 'typebox';
import { ERRORS } from '../base/errors.ts';

/** What every error of the management API says (RFC 9457), with a code from the error table. */
export const ProblemSchema = Type.Object(
  {
    title: Type.String({ description: 'the message of the code, for people' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'the status of the answer' }),
    code: Type.Enum(Object.keys(ERRORS), {
      description: 'what a program may rely on: a code never changes its meaning',
    }),
    errors: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: 'a JSON pointer (RFC 6901) to what is wrong; empty is the whole',
          }),
          message: Type.String({ description: 'what would be right' }),
          line: Type.Optional(Type.Integer({ minimum: 1, description: 'of a body in YAML' })),
          column: Type.Optional(Type.Integer({ minimum: 1, description: 'of a body in YAML' })),
        },
        { additionalProperties: false },
      ),
      { description: 'everything that is wrong with the request' },
    ),
    resource_id: Type.Optional(
      Type.String({ description: 'with `secret_already_shown` alone: the id of what was made' }),
    ),
  },
  { additionalProperties: false, title: 'Problem' },
);
