import type { RoleName, Settings } from '../settings/settings.ts';
import { internalSecret } from '../control/internal-secret.ts';
import { internalUrl } from './reachable.ts';
import type { BoundSockets } from './sockets.ts';
import { ROLES } from './table.ts';

/** Fills in what only the running node knows: bound ports, and the secret that its couriers use. */
export function completeSettings(settings: Settings, sockets: BoundSockets): Settings {
  const { roles, internalHost } = settings;
  const local = (name: string): string => `http://localhost:${sockets.port(name)}`;
  const withControl = roles.includes('control');
  return {
    ...settings,
    metricsPort: sockets.port('metrics'),
    controlUrl: settings.controlUrl ?? (withControl ? local('control') : null),
    exchangeUrl: settings.exchangeUrl ?? (roles.includes('exchange') ? local('exchange') : null),
    trackerUrl: settings.trackerUrl ?? (roles.includes('tracker') ? local('tracker') : null),
    internalUrls:
      settings.internalUrls.length === 0 && withControl
        ? [internalUrl(internalHost, sockets.port('internal'))]
        : settings.internalUrls,
    internalSecret:
      settings.internalSecret ?? (withControl ? internalSecret(settings.dataDirectory) : null),
  };
}

/** What one role's process is told: no secret that it has no use for. */
export function settingsFor(role: RoleName, settings: Settings, mayApply: boolean): Settings {
  return {
    ...settings,
    applyFile: mayApply ? settings.applyFile : null,
    internalSecret: ROLES[role].knowsInternalSecret ? settings.internalSecret : null,
    databaseUrl: ROLES[role].opensStore ? settings.databaseUrl : null,
  };
}
