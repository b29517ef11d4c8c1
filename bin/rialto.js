#!/usr/bin/env node
// The `rialto` command, on the Node that npm installed.
import { fileURLToPath } from 'node:url';
import { runPinned } from './node.js';

runPinned([fileURLToPath(new URL('../src/main.ts', import.meta.url)), ...process.argv.slice(2)]);
