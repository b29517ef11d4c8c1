import type { Settings } from '../settings/settings.ts';

/** Where this machine itself reaches a control that listens for couriers on `host` and `port`. */
export function internalUrl(host: string, port: number): string {
  return `http://${reachable(host)}:${port}`;
}

/** Where this machine itself reads the metrics of a node. */
export function metricsUrl({
  metricsHost,
  metricsPort,
}: Pick<Settings, 'metricsHost' | 'metricsPort'>): string {
  return `http://${reachable(metricsHost)}:${metricsPort}/metrics`;
}

/** The address at which this machine itself reaches what is bound on `host`. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
