#!/usr/bin/env node
// `rialto` started outside npm's scripts may meet an older Node: hand over to the one that npm installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
if (!existsSync(pinned)) {
  console.error('rialto: node_modules/.bin/node is missing: run "npm ci" in the checkout first.');
  process.exit(1);
}
const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
