// Loaded first by every process of the project: has it read the libraries' files in place of their modules.
import { accessSync, constants } from 'node:fs';
import * as loader from 'node:module';
import { libraryEntries, libraryFiles } from './libraries.js';

if (areReadable()) {
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

/** Files that are missing, cut off or another user's are left alone: the packages do as well. */
function areReadable() {
  try {
    for (const { file } of libraryEntries) accessSync(new URL(file, libraryFiles), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
