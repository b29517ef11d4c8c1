#!/usr/bin/env node
// The `rialto` command, on the Node that npm installed.
import { fileURLToPath } from 'node:url';
import { runPinned } from './node.js';

// The supervisor has a large file checked in a thread, whose memory is given back when it has ended.
runPinned([
  '--no-memory-pool-share-memory-on-teardown',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
  ...process.argv.slice(2),
]);
