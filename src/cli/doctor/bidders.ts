import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAddressPolicy } from '../../base/address-policy.ts';
import type { InspectedBidder, InspectedStore } from '../../commands/inspect-store.ts';
import { CONNECT_MS, connects } from './connect.ts';
import { fail, ok, reasonOf, warn, type Finding } from './finding.ts';

/** More are not looked at: each may take seconds. */
const LOOKED_AT_MAX = 100;
const AT_A_TIME = 10;
/** Those that are told by name; the rest is a number. */
const TOLD_MAX = 10;

/** The bidders of active demand partners: whether their names resolve and their ports answer. */
export async function checkBidders({ bidders, allowPrivateAddresses }: InspectedStore) {
  const isAllowed = createAddressPolicy(allowPrivateAddresses);
  const looked = bidders.slice(0, LOOKED_AT_MAX);
  const found: Finding[] = [];
  for (let start = 0; start < looked.length; start += AT_A_TIME) {
    const group = looked.slice(start, start + AT_A_TIME);
    found.push(...(await Promise.all(group.map((bidder) => checkBidder(bidder, isAllowed)))));
  }
  const bad = found.filter(({ state }) => state !== 'ok');
  if (bidders.length === 0) {
    const next =
      'Add demand partners with a bidder to the configuration file, and rialto apply it.';
    return [warn('bidders', 'No active demand partner has one: nothing is sold.', next)];
  }
  if (bad.length === 0) {
    return [ok('bidders', `${looked.length} of ${bidders.length} were tried, and all answer.`)];
  }
  const rest = bad.length - TOLD_MAX;
  const next = 'See the metrics rialto_bidder_… of the exchange.';
  const more = rest > 0 ? [warn('bidders', `${rest} more do not answer.`, next)] : [];
  return [...bad.slice(0, TOLD_MAX), ...more];
}

async function checkBidder(
  { demandPartner, endpoint }: InspectedBidder,
  isAllowed: (ip: string) => boolean,
): Promise<Finding> {
  const check = `bidder of ${demandPartner}`;
  const { protocol, hostname, port } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  const stop = `Tell the partner, or rialto bidders stop ${demandPartner} until it answers.`;
  const resolved = await addressesOf(host);
  if (typeof resolved === 'string') {
    return warn(check, `${host} has no address (${resolved}).`, stop);
  }
  const address = resolved.find((each) => isAllowed(each));
  if (address === undefined) {
    const next = 'Name its range in exchange.allow_private_addresses if it is meant to be there.';
    return fail(check, `${host} is at ${resolved.join(', ')}, which is not public.`, next);
  }
  const failure = await connects({ host: address, port: number });
  if (failure === null) return ok(check, `${host} answers on port ${number}.`);
  return warn(check, `${host} does not answer on port ${number} (${failure}).`, stop);
}

/** Why there is none, where there is none. */
async function addressesOf(host: string): Promise<readonly string[] | string> {
  if (isIP(host) !== 0) return [host];
  try {
    const late = delay(CONNECT_MS, null, { ref: false });
    const found = await Promise.race([lookup(host, { all: true }), late]);
    return found === null ? 'the name server does not answer' : found.map(({ address }) => address);
  } catch (error) {
    return reasonOf(error);
  }
}
