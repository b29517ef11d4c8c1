import { CommandError } from '../base/errors.ts';
import { exitCodeOf } from '../base/exit-codes.ts';
import { requireSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { nameDatabase } from '../roles/configuration-store.ts';
import { inspectConfigurationStore } from '../commands/inspect-store.ts';
import type { Access } from './api/access.ts';
import { chooseTarget } from './api/choose-target.ts';
import { ApiClient } from './api/client.ts';
import { isOurs, lookAtNode, type SeenRole } from './local-node.ts';
import { attentionOf, controlOf, nodesOf } from './node-figures.ts';
import type { CommandPlace } from './program-tools.ts';
import {
  StatusSchema,
  type Attention,
  type NodeLine,
  type NodeStatusLine,
} from './status-schema.ts';
import { shown, showJson } from './terminal-text.ts';
import { describeTable } from './text-table.ts';

/**
 * `rialto status`: how the nodes are, and what needs somebody.
 *
 * @returns the exit code: `failed` where something needs attention.
 * @throws CommandError when nobody answers.
 */
export async function statusCommand(asJson: boolean, place: CommandPlace): Promise<number> {
  const target = chooseTarget(place);
  return target.kind === 'server'
    ? statusOfServer(target.access, asJson)
    : statusOfNode(place, asJson);
}

async function statusOfServer(access: Access, asJson: boolean): Promise<number> {
  const client = new ApiClient(access);
  const status = await client.ask({ method: 'GET', path: '/api/status/' }, StatusSchema);
  const { control, nodes, attention } = status;
  const text = [
    `${access.url} (${access.source})`,
    `configuration ${control.snapshot ?? 'none yet'}, analytics store ${control.analytics}`,
  ].map(shown);
  console.log(
    asJson
      ? showJson({ server: access.url, ...status })
      : [
          text.join('\n'),
          describeNodes(nodes),
          ...(nodes.length === 0 ? [] : [describeProcesses(nodes)]),
          describeAttention(attention),
        ].join('\n\n'),
  );
  return exitCodeOf(attention.length === 0 ? 'done' : 'failed');
}

async function statusOfNode({ flags, environment }: CommandPlace, asJson: boolean) {
  const settings = requireSettings(flags, environment);
  const { dataDirectory } = settings;
  const seen = await lookAtNode(settings);
  const { supervisor, roles, samples } = seen;
  if (supervisor === null && !roles.some(isOurs)) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and none answers on its ports: start it with rialto start ` +
        `--data ${dataDirectory}, or name a server with --url.`,
      { exit: 'unreachable' },
    );
  }
  const nodes = samples === null ? [] : nodesOf(samples);
  const control = samples === null ? null : controlOf(samples);
  const store = await seeStore(settings);
  const attention = [...attentionOf(seen, nodes), ...(store?.attention ?? [])];
  const rolesShown = roles.map(({ role, url, state }) => ({ role, url, state }));
  const document = {
    data_directory: dataDirectory,
    supervisor,
    configuration_store: store?.document ?? null,
    roles: rolesShown,
    control,
    nodes,
  };
  const head = supervisor === null ? 'no supervisor runs on it' : `process ${supervisor}`;
  console.log(
    asJson
      ? showJson({ ...document, attention })
      : [
          [`${dataDirectory} (${head})`, ...(store === null ? [] : [store.text])]
            .map(shown)
            .join('\n'),
          describeRoles(roles),
          ...(samples === null ? [] : [describeNodes(nodes)]),
          describeAttention(attention),
        ].join('\n\n'),
  );
  return exitCodeOf(attention.length === 0 ? 'done' : 'failed');
}

/** The database that the node's control keeps the configuration in; null where it has none. */
async function seeStore({ roles, ...place }: Settings) {
  const { databaseUrl } = place;
  if (databaseUrl === null || !roles.includes('control')) return null;
  const database = await nameDatabase(databaseUrl);
  const inspection = await inspectConfigurationStore(place);
  const version = inspection.state === 'present' ? inspection.store.version : null;
  const attention: Attention[] =
    version === null
      ? [
          {
            message: `The configuration store in the PostgreSQL database ${database} is ${inspection.state}.`,
            action: 'Run rialto doctor.',
          },
        ]
      : [];
  return {
    document: { database, state: inspection.state, version },
    text: `configuration ${version ?? 'none'}, in the PostgreSQL database ${database}`,
    attention,
  };
}

const STATES: Readonly<Record<SeenRole['state'], string>> = {
  ready: 'ready',
  not_ready: 'not ready yet',
  not_recording: 'cannot write its journal',
  silent: 'does not answer',
  foreign: 'another program answers',
  unknown_port: 'on a port that is not known here',
};

function describeRoles(roles: readonly SeenRole[]): string {
  return describeTable(
    [{ title: 'ROLE' }, { title: 'ADDRESS' }, { title: 'STATE' }],
    roles.map(({ role, url, state }) => [role, url ?? '–', STATES[state]]),
  );
}

function describeNodes(nodes: readonly NodeLine[]): string {
  if (nodes.length === 0) return 'No node has reported to control lately.';
  const right = (title: string) => ({ title, alignsRight: true });
  return describeTable(
    [
      { title: 'NODE' },
      { title: 'HOST' },
      { title: 'VERSION' },
      { title: 'CONFIGURATION' },
      right('REPORTED'),
      right('BACKLOG'),
      right('NOTICES'),
      right('OLDEST'),
    ],
    nodes.map(({ id, host, version, snapshot, age_seconds: age, journal, notices }) => [
      id,
      host,
      version,
      snapshot ?? 'none yet',
      `${seconds(age)} ago`,
      seconds(journal.backlog_seconds),
      notices === null ? '–' : String(notices.pending.win + notices.pending.billing),
      notices === null ? '–' : seconds(notices.oldest_seconds),
    ]),
  );
}

const BYTES_PER_MB = 1e6;

function describeProcesses(nodes: readonly NodeStatusLine[]): string {
  const right = (title: string) => ({ title, alignsRight: true });
  return describeTable(
    [{ title: 'NODE' }, { title: 'PROCESS' }, right('PID'), right('MEMORY'), right('CPU TIME')],
    nodes.flatMap(({ id, processes }) =>
      processes.map(({ role, pid, cpu_seconds: cpu, resident_bytes: memory }) => [
        id,
        role,
        String(pid),
        `${Math.round(memory / BYTES_PER_MB)} MB`,
        seconds(cpu),
      ]),
    ),
  );
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
}

function describeAttention(attention: readonly Attention[]): string {
  if (attention.length === 0) return 'All is well.';
  const lines = attention.flatMap(({ message, action }) => [`- ${message}`, `  ${action}`]);
  return ['Needs attention:', ...lines.map(shown)].join('\n');
}
