import Type from 'typebox';
import { mapping } from '../../resources/vocabulary.ts';
import { PASSWORD, PASSWORD_LENGTH_MAX } from '../../configuration/resources/user.ts';

/** As long as an address of RFC 5321 can be. */
const EMAIL_LENGTH_MAX = 254;

/** What cannot be a password or an address is just nobody's, so that it has no rule but its length. */
const PRESENT_PASSWORD = Type.String({
  maxLength: PASSWORD_LENGTH_MAX,
  writeOnly: true,
  description: `the present password, at most ${PASSWORD_LENGTH_MAX} characters`,
});

const CODE = Type.String({
  maxLength: 6,
  writeOnly: true,
  description: 'the present code of the second factor: six digits',
});

/** What somebody signs in with. */
export const SignInSchema = mapping('a sign-in', {
  email: Type.String({
    maxLength: EMAIL_LENGTH_MAX,
    description: `an e-mail address, at most ${EMAIL_LENGTH_MAX} characters`,
  }),
  password: PRESENT_PASSWORD,
  code: Type.Optional(CODE),
});

/** What somebody asks for a second factor with. */
export const SecondFactorSchema = mapping('a second factor', { password: PRESENT_PASSWORD });

/** What somebody confirms or removes a second factor with. */
export const CodeSchema = mapping('a code', { code: CODE });

/** What somebody changes their password with. */
export const PasswordChangeSchema = mapping('a change of the password', {
  password: PRESENT_PASSWORD,
  new_password: PASSWORD,
});
