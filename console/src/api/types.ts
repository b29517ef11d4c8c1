/** What control answers: the types of the server's own schemas, by the names that pages use. */
import type { SessionAnswer as Answer } from '../../../src/sign-in/sessions/schema.ts';

export type SessionAnswer = Answer;

/** Who is signed in, and where things are. */
export type Session = NonNullable<Answer['session']>;
