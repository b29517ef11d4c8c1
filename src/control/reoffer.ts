import Type, { type Static } from 'typebox';

/** What `POST /internal/reoffer` answers: what the analytics store was taken for until then. */
export const ReofferAnswerSchema = Type.Object({
  before: Type.Enum(['known', 'empty', 'another', 'older']),
});

export type ReofferAnswer = Static<typeof ReofferAnswerSchema>;
