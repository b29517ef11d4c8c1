import { SETTINGS, type RoleName, type Settings } from './settings.ts';

/** Settings that are each right and do not go together. */
export function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  const { roles } = settings;
  for (const [one, other] of portPairs(roles)) {
    if (settings[one] === 0 || settings[one] !== settings[other]) continue;
    problems.push(
      `${nameOf(one)} and ${nameOf(other)} are both ${settings[one]}; each needs its own`,
    );
  }
  const missing = EXCHANGE_NEEDS.filter((role) => !roles.includes(role));
  if (roles.includes('exchange') && missing.length > 0) {
    problems.push(
      `an exchange needs ${missing.join(' and ')} on its node: the courier brings its configuration and carries its records, the tracker counts its impressions`,
    );
  }
  problems.push(...mailContradictions(settings));
  if (roles.includes('control')) return problems;
  if (roles.includes('courier') && settings.internalUrls.length === 0) {
    problems.push(
      `a courier without control on its node needs ${nameOf('internalUrls')}, the address of the listener that control has for couriers`,
    );
  }
  if (roles.includes('courier') && settings.internalSecret === null) {
    problems.push(
      `a courier without control on its node needs ${nameOf('internalSecret')}, the content of secrets/internal in the data directory of the node with control`,
    );
  }
  if (settings.applyFile !== null) {
    problems.push(`${nameOf('applyFile')} needs the role control on this node`);
  }
  return problems;
}

function mailContradictions(settings: Settings): string[] {
  const { smtpHost, smtpFrom, smtpUser, smtpPasswordFile, smtpTls } = settings;
  const problems: string[] = [];
  if (smtpHost !== null && smtpFrom === null) {
    problems.push(`a mail server needs ${nameOf('smtpFrom')}, the address that mail comes from`);
  }
  if ((smtpUser === null) !== (smtpPasswordFile === null)) {
    problems.push(`${nameOf('smtpUser')} and ${nameOf('smtpPasswordFile')} go together`);
  } else if (smtpUser !== null && smtpTls === 'off') {
    problems.push(`${nameOf('smtpTls')} is off, which would show the password to the network`);
  }
  return problems;
}

const EXCHANGE_NEEDS: readonly RoleName[] = ['courier', 'tracker'];

type PortKey = 'controlPort' | 'internalPort' | 'exchangePort' | 'trackerPort' | 'metricsPort';

const PORTS_OF: Readonly<Record<RoleName, readonly PortKey[]>> = {
  control: ['controlPort', 'internalPort'],
  courier: [],
  tracker: ['trackerPort'],
  exchange: ['exchangePort'],
};

/**
 * The pairs of ports that this node would open both. Two sockets can be bound to the same port; only
 * listening on them would fail, and late.
 */
function portPairs(roles: readonly RoleName[]): readonly (readonly [PortKey, PortKey])[] {
  const ports: readonly PortKey[] = [...roles.flatMap((role) => PORTS_OF[role]), 'metricsPort'];
  return ports.flatMap((one, index) =>
    ports.slice(index + 1).map((other): readonly [PortKey, PortKey] => [one, other]),
  );
}

function nameOf(key: keyof Settings): string {
  const { flag, environment } = SETTINGS[key];
  return flag === null ? environment : `${flag} (${environment})`;
}
