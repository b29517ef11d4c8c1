import Type, { type Static } from 'typebox';

const idOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null without one` });

/** In the order in which they are done. */
export const STEPS = [
  'demand_partner',
  'bidder_test',
  'publisher',
  'ad_space',
  'ad_request',
  'impression',
] as const;

/** What an operator does on an empty exchange, and how far it is. */
export const FirstStepsSchema = Type.Object(
  {
    is_done: Type.Boolean({ description: 'whether an impression was counted, ever' }),
    steps: Type.Array(
      Type.Object(
        {
          step: Type.Enum([...STEPS], { description: `one of ${STEPS.join(', ')}` }),
          is_done: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      { description: 'in the order in which they are done' },
    ),
    demand_partner_id: idOrNull('the first demand partner that is not archived'),
    publisher_id: idOrNull('the first publisher that is not archived'),
    ad_space_id: idOrNull('the first ad space of that publisher'),
  },
  { title: 'FirstSteps', additionalProperties: false },
);

export type FirstSteps = Static<typeof FirstStepsSchema>;
