import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOtherMethods } from '../../base/other-methods.ts';
import { Compile } from 'typebox/compile';
import type {
  CodeVerdict,
  OfferedSecret,
  SecondFactors,
  SecondFactorUser,
} from '../../identity/second-factors.ts';
import { invalidRequest, readChecked } from '../../management/endpoints.ts';
import { serve } from '../../management/serve.ts';
import { CodeSchema, SecondFactorSchema } from './bodies.ts';
import { checkPassword, seenCode, type PasswordCheckParts } from './password-check.ts';
import type { SessionDoor } from './session-door.ts';

export interface SecondFactorParts extends PasswordCheckParts {
  readonly door: SessionDoor;
  readonly secondFactors: SecondFactors;
}

const PATH = '/session/second-factor';
const CONFIRM = `${PATH}/confirm`;
const REMOVE = `${PATH}/remove`;

const ASK = Compile(SecondFactorSchema);
const CODE = Compile(CodeSchema);

/**
 * The second factor of whose session it is: `/v2/auth/session/second-factor/` makes a secret,
 * `…/confirm/` turns it on with its first code, `…/remove/` turns it off with another one.
 */
export function registerSecondFactors(auth: FastifyInstance, parts: SecondFactorParts): void {
  const { door, secondFactors } = parts;
  const enter = async (request: FastifyRequest): Promise<SecondFactorUser> => {
    const { session } = await door.enterSignedIn(request);
    const { userId, email } = session.caller;
    return { userId, email, sessionHash: session.hash };
  };
  serve(auth, { method: 'POST', path: PATH }, async (request, reply): Promise<OfferedSecret> => {
    const user = await enter(request);
    const { password } = readChecked(ASK, request.body);
    const claim = { email: user.email, password };
    if ((await checkPassword(parts, claim, { request, reply })) === null) {
      throw invalidRequest([{ path: ['password'], message: 'is not the present password' }]);
    }
    const offered = await secondFactors.offer(user);
    if (offered !== null) return offered;
    const message = 'there is a second factor already; remove it first';
    throw invalidRequest([{ path: [], message }]);
  });
  const serveCode = (path: string, nothing: string, use: SecondFactors['confirm']): void =>
    serve(auth, { method: 'POST', path }, async (request, reply): Promise<FastifyReply> => {
      const user = await enter(request);
      const { code } = readChecked(CODE, request.body);
      const verdict = await seenCode(await use(user, code), parts, { reply });
      refuseUnlessRight(verdict, nothing);
      return reply.code(204).send();
    });
  serveCode(CONFIRM, 'there is no second factor that waits for its first code', (...shown) =>
    secondFactors.confirm(...shown),
  );
  serveCode(REMOVE, 'there is no second factor', (...shown) => secondFactors.remove(...shown));
  for (const path of [PATH, CONFIRM, REMOVE]) answerOtherMethods(auth, path, ['POST']);
}

function refuseUnlessRight({ outcome }: CodeVerdict, nothing: string): void {
  if (outcome === 'right') return;
  const wrong = { path: ['code'], message: 'is wrong, too old, or was used before' };
  throw invalidRequest([outcome === 'missing' ? { path: [], message: nothing } : wrong]);
}
