import { lookup } from 'node:dns/promises';
import { isIP, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAddressPolicy } from '../../base/address-policy.ts';
import { messageOf } from '../../base/unknown-error.ts';
import type { InspectedBidder, InspectedStore } from '../../commands/inspect-store.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

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
    return messageOf(error);
  }
}

/** How long a connection may take, and the answer of a name server. */
const CONNECT_MS = 3_000;

/**
 * Opens a connection and closes it.
 *
 * @returns null when it came about, else why not, in few words.
 */
function connects({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (failure: string | null): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.setTimeout(CONNECT_MS, () => done('no answer'));
    socket.once('connect', () => done(null));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}
