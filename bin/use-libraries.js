// Loaded first by every process of the project: has it read the libraries' files in place of their modules.
import { existsSync } from 'node:fs';
import * as loader from 'node:module';
import { libraryEntries, libraryFiles } from './libraries.js';

if (existsSync(libraryFiles)) {
  const found = new Map(
    libraryEntries.map(({ specifier, file }) => [
      specifier,
      { url: new URL(file, libraryFiles).href, format: 'module', shortCircuit: true },
    ]),
  );
  // A process of ours may start another Node, which takes over its options and has no such hooks.
  loader.registerHooks?.({
    resolve: (specifier, context, next) => found.get(specifier) ?? next(specifier, context),
  });
}
