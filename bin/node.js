#!/usr/bin/env node
// Runs a script on the Node that npm installed for this project, whichever Node started this one:
// `node bin/node.js [FLAGS] SCRIPT [ARGUMENTS]`. It does not go by node_modules/.bin, where older
// versions of npm leave no link to a program that several optional packages have.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { libraryFiles } from './libraries.js';

const name = `node-${process.platform}-${process.arch}`;
const pinned = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));

/**
 * Compiled modules are kept beside the packages that they come from, as trusted as these: a process
 * starts in half the time. Where the place cannot be written, nothing is kept.
 */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/rialto', import.meta.url));

/** Runs the pinned Node in this process's place, as far as that goes: streams, signals, exit code. */
export function runPinned(args) {
  if (!existsSync(pinned)) {
    console.error(
      `rialto: node_modules/${name} is missing; run "npm ci" in the checkout (Linux and macOS, x64 and arm64).`,
    );
    process.exit(1);
  }
  packLibraries();
  const child = spawn(pinned, args, {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, NODE_OPTIONS: optionsOfAll() },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

/** Makes them once, where what makes them is installed; without them all works as well. */
function packLibraries() {
  const packer = new URL('../node_modules/rolldown', import.meta.url);
  if (existsSync(libraryFiles) || !existsSync(packer)) return;
  const script = fileURLToPath(new URL('pack-libraries.js', import.meta.url));
  spawnSync(pinned, [script], { stdio: 'ignore' });
}

/** What Node takes over from its environment, in this process's child and in all of that one's. */
function optionsOfAll() {
  const { NODE_OPTIONS: given = '' } = process.env;
  const ours = `--import=${new URL('use-libraries.js', import.meta.url).href}`;
  return given.includes(ours) ? given : `${given} ${ours}`.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runPinned(process.argv.slice(2));
