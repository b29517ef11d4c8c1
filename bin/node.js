#!/usr/bin/env node
// Runs a script on the Node that npm installed for this project, whichever Node started this one:
// `node bin/node.js [FLAGS] SCRIPT [ARGUMENTS]`. It does not go by node_modules/.bin, where older
// versions of npm leave no link to a program that several optional packages have.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

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
  const child = spawn(pinned, args, {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runPinned(process.argv.slice(2));
