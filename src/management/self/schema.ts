import Type, { type Static } from 'typebox';

/** Whom a user belongs to. */
const AssociationSchema = Type.Object({
  type: Type.Union([Type.Literal('DEMAND_PARTNER'), Type.Literal('PUBLISHER')]),
  entity_id: Type.Integer({ description: 'the id in the paths of the partner or publisher' }),
});

/** The answer of `GET /api/self/`. */
export const SelfSchema = Type.Object(
  {
    id: Type.Integer({ description: 'the user' }),
    email: Type.String(),
    groups: Type.Array(
      Type.Union([
        Type.Literal('operator'),
        Type.Literal('demand-partner'),
        Type.Literal('publisher'),
      ]),
    ),
    status: Type.Literal('ACTIVE'),
    association: Type.Union([AssociationSchema, Type.Null()], {
      description: 'null for an operator, who belongs to the exchange',
    }),
  },
  { title: 'Self' },
);

export type Self = Static<typeof SelfSchema>;
