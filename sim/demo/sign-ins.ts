import { parse } from 'yaml';

/** Somebody who can look around in the console. */
export interface DemoSignIn {
  /** On whose side: an operator. */
  readonly who: string;
  readonly email: string;
  readonly password: string;
}

/**
 * The first user of each kind that the demo's configuration has a password for.
 *
 * @param configuration the file that the exchange runs on, whose passwords are no secrets.
 */
export function demoSignIns(configuration: string): readonly DemoSignIn[] {
  const {
    operators = [],
    demand_partners: partners = [],
    publishers = [],
  }: Named = parse(configuration);
  const kinds = [
    ['the operator', operators],
    ['a demand partner', partners.flatMap(({ users = [] }) => users)],
    ['a publisher', publishers.flatMap(({ users = [] }) => users)],
  ] as const;
  return kinds.flatMap(([who, users]) => {
    const first = users.find(({ password }) => password !== undefined);
    return first?.password === undefined
      ? []
      : [{ who, email: first.email, password: first.password }];
  });
}

/** What is read of the file. */
interface Named {
  readonly operators?: readonly User[];
  readonly demand_partners?: readonly { readonly users?: readonly User[] }[];
  readonly publishers?: readonly { readonly users?: readonly User[] }[];
}

interface User {
  readonly email: string;
  readonly password?: string;
}
