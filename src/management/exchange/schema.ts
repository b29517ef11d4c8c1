import Type, { type Static } from 'typebox';
import { nullable } from '../../resources/vocabulary.ts';
import { ExchangeSchema } from '../../resources/exchange.ts';
import { INSTANT, shownSchema } from '../shown.ts';

/** The exchange's own settings as they are shown. */
export const ShownExchangeSchema = Type.Object(
  {
    ...shownSchema('Exchange', ExchangeSchema.properties).properties,
    // Nobody has set anything yet: all of it is as it comes.
    created_at: nullable(INSTANT),
    updated_at: nullable(INSTANT),
  },
  { title: 'Exchange', additionalProperties: false },
);

export type ShownExchange = Static<typeof ShownExchangeSchema>;
