import Type, { type Static } from 'typebox';
import { ShownPreviousSchema } from '../grace.ts';
import { INSTANT } from '../shown.ts';

const PROPERTIES = {
  prefix: Type.String({ description: 'the first characters of the token' }),
  created_at: INSTANT,
  previous: ShownPreviousSchema,
};

/** A reporting token, without itself. */
export const ShownReportingTokenSchema = Type.Object(PROPERTIES, {
  additionalProperties: false,
  title: 'ReportingToken',
});

export type ShownReportingToken = Static<typeof ShownReportingTokenSchema>;

/** A reporting token as it is shown once. */
export const IssuedReportingTokenSchema = Type.Object(
  {
    ...PROPERTIES,
    token: Type.String({ description: 'account_auth_token of the reports; shown this once' }),
  },
  { additionalProperties: false, title: 'IssuedReportingToken' },
);

export type IssuedReportingToken = Static<typeof IssuedReportingTokenSchema>;
