import { CommandError } from '../../base/errors.ts';
import { exitCodeOf } from '../../base/exit-codes.ts';
import { ownField } from '../../base/fields.ts';
import { messageOf } from '../../base/unknown-error.ts';
import { requireSettings } from '../../settings/read-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { readSnapshotFile } from '../../courier/snapshot-file.ts';
import { versionKey } from '../../snapshot/snapshot.ts';
import { readJson } from '../api/read-json.ts';
import { ask, lookAtNode, type SeenNode } from '../local-node.ts';
import { attentionOf, nodesOf } from '../node-figures.ts';
import type { CommandPlace } from '../program-tools.ts';
import { shown, showJson } from '../terminal-text.ts';
import { checkBidders } from './bidders.ts';
import { checkDataDirectory } from './data-directory.ts';
import { fail, ok, warn, type Finding } from './finding.ts';
import { checkMachine, readMachine } from './machine.ts';
import { checkClock, checkPorts } from './ports.ts';
import { checkPublicAddresses } from './public-addresses.ts';
import { checkAnalyticsStore, checkConfigurationStore } from './stores.ts';

/**
 * `rialto doctor`: checks this machine, the data directory and the node of the settings, and says of
 * each what to do. Changes nothing, and prints no secret.
 *
 * @returns the exit code: `failed` when a check failed.
 */
export async function doctorCommand(
  asJson: boolean,
  { flags, environment }: CommandPlace,
): Promise<number> {
  const findings = [...checkMachine(readMachine())];
  const settings = readNodeSettings({ flags, environment });
  if (settings instanceof CommandError) {
    for (const line of settings.message.split('\n')) {
      findings.push(fail('settings', `${line}.`, 'See docs/reference/configuration.md.'));
    }
  } else {
    findings.push(...(await checkNode(settings)));
  }
  const failed = findings.filter(({ state }) => state === 'fail').length;
  console.log(asJson ? showJson({ ok: failed === 0, checks: findings }) : describe(findings));
  return exitCodeOf(failed === 0 ? 'done' : 'failed');
}

function readNodeSettings({ flags, environment }: CommandPlace): Settings | CommandError {
  try {
    return requireSettings(flags, environment);
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

async function checkNode(settings: Settings): Promise<Finding[]> {
  const { dataDirectory, roles } = settings;
  const directory = guarded('data directory', () => checkDataDirectory(dataDirectory));
  const seen = await lookAtNode(settings);
  const hasControl = roles.includes('control');
  const { finding, store } = hasControl
    ? await checkConfigurationStore(settings)
    : { finding: null, store: null };
  const matchesUsers = store?.bidders.some((bidder) => bidder.matchesUsers) ?? false;
  return [
    ...directory,
    ...(finding === null ? [] : [finding]),
    ...(hasControl ? [checkAnalyticsStore(dataDirectory, seen.supervisor !== null)] : []),
    ...(await checkPorts(settings, seen)),
    await checkControlsClock(settings, seen),
    ...(await checkSnapshot(dataDirectory, seen, store?.version ?? null)),
    ...checkFigures(seen),
    ...(await checkPublicAddresses(settings, matchesUsers)),
    ...(store === null ? [] : await checkBidders(store)),
  ];
}

/** Control elsewhere has a clock of its own, which is the one to agree with. */
async function checkControlsClock({ internalUrls: [internalUrl] }: Settings, { roles }: SeenNode) {
  // Without the secret it answers 401, with its date.
  const elsewhere =
    internalUrl === undefined ? null : await ask(`${internalUrl}/internal/snapshot`);
  const here = roles.find(({ role }) => role === 'control')?.answer ?? null;
  return checkClock((elsewhere ?? here)?.headers['date'], Date.now());
}

/** What the node serves: the state of the store, while it runs. */
async function checkSnapshot(
  dataDirectory: string,
  { supervisor }: SeenNode,
  storeVersion: string | null,
): Promise<Finding[]> {
  const check = 'snapshot';
  const text = await readSnapshotFile(dataDirectory).catch(messageOf);
  if (text === undefined) {
    const message = 'There is none yet; the courier brings the first one.';
    return supervisor === null
      ? [ok(check, message)]
      : [warn(check, message, "Its courier's log says why, if this stays so.")];
  }
  const version = versionOf(text);
  if (version === null) {
    const message = 'The one on disk cannot be read.';
    return [fail(check, message, 'Start the node: its courier fetches another.')];
  }
  if (storeVersion === null || version === storeVersion) {
    return [ok(check, `The node's is at version ${version}.`)];
  }
  const message = `The node's is at version ${version}, the store at ${storeVersion}.`;
  return supervisor === null
    ? [ok(check, `${message} The next start brings it up to date.`)]
    : [warn(check, message, "Look again in some seconds; then into its courier's log.")];
}

/** `EPOCH.SEQ` of the header, which is the first line. */
function versionOf(text: string): string | null {
  const version = ownField(readJson(text.slice(0, text.indexOf('\n'))), 'version');
  const [epoch, seq] = [ownField(version, 'epoch'), ownField(version, 'seq')];
  return typeof epoch === 'string' && typeof seq === 'number' ? versionKey({ epoch, seq }) : null;
}

/** Backlog, notices and what else a running control tells of. */
function checkFigures(seen: SeenNode): Finding[] {
  const { samples } = seen;
  if (samples === null) return [];
  const nodes = nodesOf(samples);
  const found = attentionOf({ ...seen, roles: [] }, nodes).map(({ message, action }) =>
    warn('records', message, action),
  );
  if (found.length > 0) return found;
  return [ok('records', `${nodes.length} nodes report, and nothing waits too long.`)];
}

/** A file system that fails is a finding, too. */
function guarded(check: string, look: () => Finding[]): Finding[] {
  try {
    return look();
  } catch (error) {
    const next = 'Look at the directory as the user that runs the node.';
    return [fail(check, `It cannot be looked at: ${messageOf(error)}.`, next)];
  }
}

function describe(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, message, next }) => [
    shown(`${state.padEnd(4)}  ${check.padEnd(width)}  ${message}`),
    ...(next === null ? [] : [shown(`${' '.repeat(6 + width)}  ${next}`)]),
  ]);
  const count = (wanted: Finding['state']): number =>
    findings.filter(({ state }) => state === wanted).length;
  const sums = `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed.`;
  return [...lines, '', sums].join('\n');
}
