import type { Finding } from '../../configuration/finding.ts';
import type { Plan } from '../../configuration/plan.ts';
import {
  OPERATOR,
  ofDemandPartner,
  ofPublisher,
  type Owner,
} from '../../configuration/resources/owner.ts';
import { emailKey, planUser } from '../../configuration/resources/user.ts';
import type { Row } from '../../configuration/state.ts';
import type { Status } from '../../snapshot/entities.ts';
import type { NewUser } from './schema.ts';

/** Plans a user who is not there yet. */
export function planNewUser(plan: Plan, user: NewUser): void {
  const owner = ownerOf(user);
  if ('message' in owner) return plan.find(owner.path, owner.message);
  const email = emailKey(user.email);
  if (plan.state.users.has(email)) return plan.find(['email'], `is taken: ${email} is a user`);
  const { association } = user;
  if (association !== undefined && association !== null) {
    const { type, entity_id: id } = association;
    const { demandPartners, publishers } = plan.state;
    const entity = type === 'PUBLISHER' ? publishers.get(id) : demandPartners.get(id);
    const noun = type === 'PUBLISHER' ? 'publisher' : 'demand partner';
    const path = ['association', 'entity_id'];
    if (entity === undefined) return plan.find(path, `must be the id of a ${noun}`);
    if (entity.status === 'ARCHIVED') {
      return plan.find(
        path,
        `must be a ${noun} that is not archived: nobody signs in for this one`,
      );
    }
  }
  planUser(plan, { path: [], input: { email }, unsound: new Set() }, owner);
}

/**
 * Whom a new user belongs to. An operator is made by name alone: to leave something out must not
 * make one.
 */
function ownerOf({ groups, association }: NewUser): Owner | Finding {
  const group = groups?.[0];
  if (association === undefined || association === null) {
    if (group === 'operator') return OPERATOR;
    const message =
      'is missing; it must be {type, entity_id} of a demand partner or publisher; an operator has groups ["operator"] and no association';
    return { path: ['association'], message };
  }
  const { type, entity_id: id } = association;
  const groupOfType = type === 'PUBLISHER' ? 'publisher' : 'demand-partner';
  if (group !== undefined && group !== groupOfType) {
    const message = `must be ["${groupOfType}"], or left out, with an association of type ${type}`;
    return { path: ['groups'], message };
  }
  return type === 'PUBLISHER' ? ofPublisher(id) : ofDemandPartner(id);
}

/** Plans another status. Somebody has to be left who can let others in. */
export function planStatus(plan: Plan, user: Row<'users'>, status: Status): void {
  if (status !== 'ACTIVE' && isLastOperator(plan, user)) {
    plan.find(['status'], 'must stay ACTIVE: this is the last active operator who can sign in');
    return;
  }
  const input = { email: user.email, status };
  planUser(plan, { path: [], input, unsound: new Set() }, user);
}

/** Who was invited and has chosen no password may never come. */
function isLastOperator({ state }: Plan, user: Row<'users'>): boolean {
  if (user.role !== 'OPERATOR' || user.status !== 'ACTIVE') return false;
  const withApplications = new Set([...state.applications.values()].map((each) => each.user_id));
  return ![...state.users.values()].some(
    ({ id, role, status, password_hash: hash }) =>
      id !== user.id &&
      role === 'OPERATOR' &&
      status === 'ACTIVE' &&
      (hash !== null || withApplications.has(id)),
  );
}
