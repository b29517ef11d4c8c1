import Type, { type Static } from 'typebox';
import { TargetingSchema } from '../../resources/targeting.ts';

const traffic = {
  ad_requests: Type.Integer({
    minimum: 0,
    description: 'ad requests, one for each ad space asked',
  }),
  qps_avg: Type.Number({ minimum: 0, description: 'ad requests per second, on average' }),
  qps_peak: Type.Number({ minimum: 0, description: 'ad requests per second in the busiest hour' }),
};

/** The answer: the past week day by day, all of it, and what was asked for. */
export const ShownDiscoverySchema = Type.Object(
  {
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date', description: 'the UTC day' }),
          complete: Type.Boolean({
            description: 'false for today, whose average is over the time that has passed of it',
          }),
          ...traffic,
        },
        { additionalProperties: false },
      ),
      { description: 'the seven UTC days that end today, the oldest first' },
    ),
    total: Type.Object(traffic, { additionalProperties: false }),
    targeting: TargetingSchema,
  },
  { title: 'Discovery', additionalProperties: false },
);

export type ShownDiscovery = Static<typeof ShownDiscoverySchema>;
