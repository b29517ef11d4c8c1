import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/unknown-error.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

/** Others than the owner may do anything. */
const OTHERS = 0o077;

const GIB = 1024 ** 3;
/** The journal keeps back a reserve; below this an hour of traffic may fill the disk. */
const DISK_NEEDED_BYTES = GIB;
const DISK_WANTED_BYTES = 10 * GIB;
const INODES_NEEDED = 1_000;
const INODES_WANTED = 100_000;

/** Files that hold secrets, or what is as good as one. */
const SECRET_FILES = ['configuration.sqlite', 'control.json'];

/** The data directory: whether the node can use it, and nobody else. */
export function checkDataDirectory(directory: string): Finding[] {
  const disk = checkDisk(nearestOf(directory));
  if (!existsSync(directory)) return [checkParent(directory), ...disk];
  const use = checkUse(directory);
  if (use.state === 'fail') return [use, ...disk];
  return [use, checkSecrets(directory), checkQuarantine(directory), ...disk];
}

function checkParent(directory: string): Finding {
  const parent = nearestOf(directory);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return ok('data directory', `${directory} is not there yet; rialto start makes it.`);
  } catch {
    const message = `${directory} is not there, and cannot be made in ${parent}.`;
    return fail('data directory', message, 'Choose another with --data (RIALTO_DATA).');
  }
}

function checkUse(directory: string): Finding {
  const check = 'data directory';
  try {
    const { mode, uid } = statSync(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const self = process.getuid?.();
    if (self !== undefined && self !== uid) {
      const message = `${directory} belongs to user ${uid}, and this is user ${self}.`;
      return warn(check, message, 'Run this, and the node, as the user whom it belongs to.');
    }
    if ((mode & OTHERS) === 0) return ok(check, `${directory} is writable, by its owner alone.`);
    const message = `${directory} can be entered by others than its owner.`;
    return warn(check, message, `Run chmod 700 ${directory}.`);
  } catch (error) {
    const next = 'Make it writable for this user, or choose another with --data (RIALTO_DATA).';
    return fail(check, `${directory} cannot be used: ${messageOf(error)}.`, next);
  }
}

function checkSecrets(directory: string): Finding {
  const check = 'secrets';
  const folder = join(directory, 'secrets');
  const kept = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const files = [...kept, ...SECRET_FILES.map((name) => join(directory, name))];
  const there = files.filter((file) => existsSync(file));
  const open = there.filter((file) => (statSync(file).mode & OTHERS) !== 0);
  if (open.length > 0) {
    const message = `${open.length} files with secrets can be read by others, such as ${open[0]}.`;
    return fail(check, message, `Run chmod 600 ${open.join(' ')}`);
  }
  return ok(check, there.length === 0 ? 'None is there yet.' : 'Only their owner can read them.');
}

function checkQuarantine(directory: string): Finding {
  const check = 'quarantine';
  const folder = join(directory, 'quarantine');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const held = names.filter((name) => name.endsWith('.json')).length;
  if (held === 0) return ok(check, 'Nothing is held.');
  return fail(
    check,
    `Parts of ${held} batches of records are in quarantine and in no report.`,
    'See why with rialto quarantine, and run rialto reconcile.',
  );
}

function checkDisk(directory: string): Finding[] {
  const { bavail, bsize, files, ffree } = statfsSync(directory);
  const bytes = bavail * bsize;
  const room = `${(bytes / GIB).toFixed(1)} GiB are free for ${directory}.`;
  const next =
    'Make room, or choose another disk with --data: what cannot be recorded is not sold.';
  const disk =
    bytes >= DISK_WANTED_BYTES
      ? ok('disk', room)
      : (bytes < DISK_NEEDED_BYTES ? fail : warn)('disk', room, next);
  // Some file systems make inodes as they need them, and say 0.
  if (files === 0) return [disk];
  const nodes = `${ffree} more files fit onto the disk.`;
  const inodes =
    ffree >= INODES_WANTED
      ? ok('inodes', nodes)
      : (ffree < INODES_NEEDED ? fail : warn)('inodes', nodes, next);
  return [disk, inodes];
}

/** The directory, or the nearest above it that is there. */
function nearestOf(directory: string): string {
  return existsSync(directory) ? directory : nearestOf(dirname(directory));
}
