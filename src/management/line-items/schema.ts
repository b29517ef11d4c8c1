import Type, { type Static } from 'typebox';
import { LineItemSchema } from '../../resources/line-item.ts';
import { shownSchema } from '../shown.ts';

/** A line item as it is shown. Source: management API, "Line item". */
export const ShownLineItemSchema = shownSchema('LineItem', {
  ...LineItemSchema.properties,
  data_center: Type.Null({ description: 'null: a line item buys in every data center' }),
});

export type ShownLineItem = Static<typeof ShownLineItemSchema>;
