import { Compile } from 'typebox/compile';
import { checkSchema } from '../../configuration/check-schema.ts';
import { EMAIL, mapping } from '../../resources/vocabulary.ts';
import type { Finding } from '../../configuration/finding.ts';
import { PASSWORD } from '../../configuration/resources/user.ts';
import type { OpenLink } from '../../identity/one-time-links.ts';

/** What the form of a link's page sends. */
export interface LinkForm {
  readonly token: string;
  readonly password: string;
  readonly again: string;
  /** Empty where the form does not ask for it. */
  readonly email: string;
  /** Whether an application is to be made as well. */
  readonly wantsApplication: boolean;
}

/** Reads an `application/x-www-form-urlencoded` body; null for one that is not of the form. */
export function readLinkForm(body: string): LinkForm | null {
  const fields = new URLSearchParams(body);
  const one = (name: string): string | null => {
    const [value = '', ...others] = fields.getAll(name);
    return others.length === 0 ? value : null;
  };
  const [token, password, again, email] = [
    one('token'),
    one('password'),
    one('again'),
    one('email'),
  ];
  if (token === null || password === null || again === null || email === null) return null;
  const wantsApplication = one('application') === 'yes';
  return { token, password, again, email: email.trim(), wantsApplication };
}

const CHOSEN = Compile(mapping('this form', { password: PASSWORD }));
const CHOSEN_BY_FIRST = Compile(mapping('this form', { password: PASSWORD, email: EMAIL }));

/** What has to change before the form can be taken, in sentences; nothing of it quotes a password. */
export function problemsOfForm(
  { password, again, email }: LinkForm,
  link: OpenLink,
): readonly string[] {
  if (link.purpose === 'second_factor') return [];
  const findings =
    link.user === null
      ? checkSchema(CHOSEN_BY_FIRST, { password, email })
      : checkSchema(CHOSEN, { password });
  const problems = findings.map(({ path }) => RULES[String(path[0])] ?? '');
  if (password !== again) problems.push('The two passwords differ.');
  return problems;
}

/** In people's words: what a file is told of its quotes is nothing to them. */
const RULES: Readonly<Record<string, string>> = {
  email: 'The e-mail address is none.',
  password: 'A password has 8 to 1,000 characters.',
};

/** What the store has against what was typed: an address that is taken. */
export function sentenceOf({ message }: Finding): string {
  return `The e-mail address ${message}.`;
}
