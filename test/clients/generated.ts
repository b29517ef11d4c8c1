import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Clients that generators make of the committed API description, each with a program that uses it. What
 * the programs print is compared with what is known of the node that they ask.
 */
const ROOT = join(import.meta.dirname, '../..');
const DESCRIPTION = join(ROOT, 'docs/reference/openapi.json');
/** Of the packages, which a slow line brings; of the compilers, on a slow machine. */
const TIMEOUT_MS = 600_000;

const OPENAPI_PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.2.0';

export interface GeneratedClient {
  readonly name: string;
  /** What has to be there beside npm's packages; null for nothing. */
  readonly toolchain: readonly [string, ...string[]] | null;
  /** Makes and compiles the client and its program in an empty directory, and gives its command. */
  readonly make: (directory: string) => Promise<readonly [string, ...string[]]>;
}

/** `openapi-typescript` with `openapi-fetch`, which npm brings. */
export const TYPESCRIPT: GeneratedClient = {
  name: 'openapi-typescript',
  toolchain: null,
  make: async (directory) => {
    for (const file of ['use.ts', 'tsconfig.json']) {
      cpSync(join(import.meta.dirname, 'typescript', file), join(directory, file));
    }
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    const generate = join(import.meta.dirname, 'node_modules/openapi-typescript/bin/cli.js');
    await run(process.execPath, generate, DESCRIPTION, '--output', join(directory, 'api.ts'));
    await run(process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory);
    return [process.execPath, join(directory, 'use.ts')];
  },
};

/** `openapi-python-client`, in an environment of its own. */
export const PYTHON: GeneratedClient = {
  name: 'openapi-python-client',
  toolchain: ['python3', '-m', 'venv', '--help'],
  make: async (directory) => {
    const bin = join(directory, 'environment/bin');
    await run('python3', '-m', 'venv', join(directory, 'environment'));
    await run(join(bin, 'pip'), 'install', '--quiet', OPENAPI_PYTHON_CLIENT);
    const generated = join(directory, 'generated');
    const generate = ['generate', '--path', DESCRIPTION, '--output-path', generated];
    await run(join(bin, 'openapi-python-client'), ...generate);
    cpSync(join(import.meta.dirname, 'python/use.py'), join(generated, 'use.py'));
    return [join(bin, 'python'), join(generated, 'use.py')];
  },
};

/** `oapi-codegen`, in a module of its own. */
export const GO: GeneratedClient = {
  name: 'oapi-codegen',
  toolchain: ['go', 'version'],
  make: async (directory) => {
    mkdirSync(join(directory, 'rialto'));
    cpSync(join(import.meta.dirname, 'go/use.go'), join(directory, 'use.go'));
    writeFileSync(join(directory, 'go.mod'), 'module rialto.example/client\n\ngo 1.24\n');
    const go = (...args: readonly string[]) => run('go', '-C', directory, ...args);
    const output = ['-generate', 'types,client', '-package', 'rialto', '-o', 'rialto/client.go'];
    await go('run', OAPI_CODEGEN, ...output, DESCRIPTION);
    await go('get', OAPI_RUNTIME);
    await go('mod', 'tidy');
    await go('build', '-o', 'use', '.');
    return [join(directory, 'use')];
  },
};

/** Whether what a client needs is on this machine. */
export async function isThere({ toolchain }: GeneratedClient): Promise<boolean> {
  if (toolchain === null) return true;
  return run(...toolchain).then(
    () => true,
    () => false,
  );
}

/** Runs a command. @throws Error with what it printed, when it fails. */
export async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => {
    const { stdout: printed, stderr } = Object(error);
    throw new Error(`${command} ${args.join(' ')}\n${printed}\n${stderr}`, { cause: error });
  });
  return stdout;
}
