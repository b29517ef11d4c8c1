import type { RoleName, Settings } from '../settings/settings.ts';
import { CommandError } from '../base/errors.ts';
import { runningSupervisor } from '../commands/ask-control.ts';
import { metricsUrl, reachable } from '../roles/reachable.ts';
import { send, type Answer } from './api/send.ts';
import { readMetrics, type Sample } from './metrics-text.ts';

/** A role of a node of this machine, as its port tells. */
export interface SeenRole {
  readonly role: RoleName;
  /** Null where the port is a free one, which nobody but the node knows. */
  readonly url: string | null;
  readonly state: 'ready' | 'not_ready' | 'not_recording' | 'silent' | 'foreign' | 'unknown_port';
  /** The answer to `/readyz`; null where there is none. */
  readonly answer: Answer | null;
}

/** What can be seen of the node of a data directory from outside. */
export interface SeenNode {
  /** Its process id; null where no supervisor runs. */
  readonly supervisor: number | null;
  readonly roles: readonly SeenRole[];
  /** The metrics of a node with control; null where they cannot be read. */
  readonly samples: readonly Sample[] | null;
  /** Where they are; null where the port is a free one. */
  readonly metricsUrl: string | null;
}

/** The roles that have a port, and the setting that names it. */
export const ROLE_PORTS = {
  control: 'controlPort',
  exchange: 'exchangePort',
  tracker: 'trackerPort',
} as const satisfies Partial<Record<RoleName, keyof Settings>>;

type PortRole = keyof typeof ROLE_PORTS;

const PORT_ROLES: readonly PortRole[] = ['control', 'exchange', 'tracker'];

/** A port of this machine answers at once, or something is wrong. */
const WITHIN_MS = 3_000;

/** Looks at the node of a data directory by its lock and its ports. */
export async function lookAtNode(settings: Settings): Promise<SeenNode> {
  const named = PORT_ROLES.filter((role) => settings.roles.includes(role));
  const roles = await Promise.all(named.map((role) => lookAtRole(role, settings)));
  const control = roles.find(({ role }) => role === 'control');
  const address = settings.metricsPort === 0 ? null : metricsUrl(settings);
  const isTold = address !== null && control !== undefined && isOurs(control);
  const metrics = isTold ? await ask(address) : null;
  const samples = metrics?.status === 200 ? readMetrics(metrics.text) : null;
  return {
    supervisor: runningSupervisor(settings.dataDirectory),
    roles,
    samples,
    metricsUrl: address,
  };
}

/** Whether it is Rialto that answers on a port. */
export function isOurs({ state }: SeenRole): boolean {
  return state === 'ready' || state === 'not_ready' || state === 'not_recording';
}

async function lookAtRole(role: PortRole, settings: Settings): Promise<SeenRole> {
  const port = settings[ROLE_PORTS[role]];
  if (port === 0) return { role, url: null, state: 'unknown_port', answer: null };
  const url = `http://${reachable(settings.host)}:${port}`;
  const answer = await ask(`${url}/readyz`);
  if (answer === null) return { role, url, state: 'silent', answer };
  if (answer.status === 200 && answer.text === 'ok\n') return { role, url, state: 'ready', answer };
  const [, code] = /"(not_ready|journal_unavailable|beacon_unrecorded)"/.exec(answer.text) ?? [];
  if (answer.status !== 503 || code === undefined) return { role, url, state: 'foreign', answer };
  return { role, url, state: code === 'not_ready' ? 'not_ready' : 'not_recording', answer };
}

/** Null where there is no answer. */
export async function ask(url: string, withinMs = WITHIN_MS): Promise<Answer | null> {
  try {
    return await send({ method: 'GET', url, headers: {}, withinMs });
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}
