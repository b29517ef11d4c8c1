import { createServer } from 'node:net';
import { SETTINGS, type Settings } from '../../settings/settings.ts';
import { metricsUrl } from '../../roles/reachable.ts';
import { ask, isOurs, ROLE_PORTS, type SeenNode, type SeenRole } from '../local-node.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** A clock that is off by more mixes up days, and tokens end early or late. */
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 60_000;

/** Ports: free before the node starts, ours while it runs. */
export async function checkPorts(settings: Settings, { supervisor, roles }: SeenNode) {
  const isRunning = supervisor !== null;
  return Promise.all([
    ...roles.map((role) => checkPort(settings, role, isRunning)),
    checkMetrics(settings, isRunning),
  ]);
}

async function checkMetrics(settings: Settings, isRunning: boolean): Promise<Finding> {
  const check = 'port of metrics';
  const { metricsHost: host, metricsPort: port } = settings;
  if (port === 0) return ok(check, FREE_PORT);
  if (!isRunning) return checkBinding({ check, host, port, key: 'metricsPort' });
  const url = metricsUrl(settings);
  const answer = await ask(url);
  if (answer?.status === 200) return ok(check, `It answers at ${url}.`);
  const { flag, environment } = SETTINGS.metricsPort;
  const next = `Say the node's own port with ${flag} (${environment}); if it is this one, see the supervisor's log.`;
  return fail(check, `The node runs, and its metrics do not answer at ${url}.`, next);
}

const FREE_PORT = 'A free one is taken at every start, so that it cannot be asked.';

async function checkPort(settings: Settings, seen: SeenRole, isRunning: boolean): Promise<Finding> {
  const { role, url, state } = seen;
  const check = `port of ${role}`;
  const key = role === 'courier' ? null : ROLE_PORTS[role];
  if (key === null || url === null) {
    return ok(check, FREE_PORT);
  }
  const { flag, environment } = SETTINGS[key];
  const another = anotherPort(key);
  if (isOurs(seen)) {
    if (!isRunning) {
      const next = `Name its data directory with --data, or ${another}.`;
      return fail(check, `The ${role} of another data directory answers at ${url}.`, next);
    }
    if (state === 'ready') return ok(check, `It answers at ${url} and is ready.`);
    return warn(
      check,
      `It answers at ${url} and is not ready yet.`,
      `The log of ${role} says why.`,
    );
  }
  if (state === 'foreign') {
    return fail(check, `Another program answers at ${url}.`, `End it, or ${another}.`);
  }
  if (isRunning) {
    const next = `Say the node's own port with ${flag} (${environment}); if it is this one, see its log.`;
    return fail(check, `The node runs, and ${role} does not answer at ${url}.`, next);
  }
  return checkBinding({ check, host: settings.host, port: settings[key], key });
}

interface Binding {
  readonly check: string;
  readonly host: string;
  readonly port: number;
  readonly key: keyof Settings;
}

async function checkBinding({ check, host, port, key }: Binding): Promise<Finding> {
  const another = anotherPort(key);
  const failure = await bindingFailure(host, port);
  if (failure === null) return ok(check, `Port ${port} is free.`);
  if (failure === 'EACCES') {
    const next = `Allow it (CAP_NET_BIND_SERVICE), or ${another}.`;
    return fail(check, `Port ${port} may not be opened by this user.`, next);
  }
  const message = `Port ${port} cannot be opened on ${host} (${failure}).`;
  return fail(check, message, `End what uses it, or ${another}.`);
}

function anotherPort(key: keyof Settings): string {
  const { flag, environment } = SETTINGS[key];
  return `choose another with ${flag} (${environment})`;
}

/** Null when the port can be bound. */
function bindingFailure(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * This machine's clock beside another's: the `Date` of an answer, which is of whole seconds.
 *
 * @param nowMs Unix time in milliseconds when the answer came.
 */
export function checkClock(dateHeader: string | undefined, nowMs: number): Finding {
  const check = 'clock';
  const thereMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(thereMs)) {
    const next = 'Look whether it is set by a time server: timedatectl, or chronyc tracking.';
    const isSane = nowMs > Date.UTC(2025, 0, 1);
    return isSane
      ? ok(check, `It says ${new Date(nowMs).toISOString()}; there is no other to compare with.`)
      : fail(check, `It says ${new Date(nowMs).toISOString()}.`, next);
  }
  // Within the second that was cut off, the two agree.
  const offMs = nowMs < thereMs ? thereMs - nowMs : Math.max(0, nowMs - thereMs - 1_000);
  const message = `It differs from control's by ${(offMs / 1_000).toFixed(1)} s.`;
  if (offMs <= CLOCK_WARN_MS) return ok(check, "It agrees with control's.");
  const next = 'Have a time server set the clocks of both machines: timedatectl set-ntp true.';
  return (offMs > CLOCK_FAIL_MS ? fail : warn)(check, message, next);
}
