import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, type TestContext } from 'node:test';
import { runCli } from '../../src/cli/program.ts';

/** What a command came to that ran in this process. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Cli = (
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<CliResult>;

/** The command line in this process, with stored sign-ins of its own: one command at a time. */
export function openCli(t: TestContext): { readonly cli: Cli; readonly configHome: string } {
  const configHome = mkdtempSync(join(tmpdir(), 'rialto-cli-'));
  t.after(() => rmSync(configHome, { recursive: true }));
  const cli: Cli = async (args, environment = {}) => {
    const log = mock.method(console, 'log', () => {});
    const error = mock.method(console, 'error', () => {});
    try {
      const code = await runCli(args, { XDG_CONFIG_HOME: configHome, ...environment });
      return { code, stdout: printedBy(log), stderr: printedBy(error) };
    } finally {
      log.mock.restore();
      error.mock.restore();
    }
  };
  return { cli, configHome };
}

function printedBy({ mock: { calls } }: ReturnType<typeof mock.method>): string {
  return calls.map((call) => `${String(call.arguments[0])}\n`).join('');
}

/** A request that a fake control was sent. */
export interface FakeRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly body: unknown;
}

/**
 * A control that answers as a test says: what it says nothing of, it does not know. It gives tokens by
 * itself (`token-1`, `token-2`, …) for the secret `good-secret`.
 */
export async function startFakeControl(
  t: TestContext,
  answer: (request: FakeRequest) => FakeAnswer | null,
) {
  const requests: FakeRequest[] = [];
  let tokens = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const asked = { method, url, headers, body };
      requests.push(asked);
      const token = (): FakeAnswer => tokenAnswer(body, () => (tokens += 1));
      const given = answer(asked) ?? (url.startsWith('/v2/auth/') ? token() : NOTHING);
      response.writeHead(given.status ?? 200, {
        'content-type': 'application/json',
        ...given.headers,
      });
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, requests };
}

const NOTHING: FakeAnswer = {
  status: 404,
  body: { title: 'There is nothing at this address.', status: 404, code: 'not_found', errors: [] },
};

function tokenAnswer(body: string, next: () => number): FakeAnswer {
  const form = new URLSearchParams(body);
  if (form.get('client_secret') !== 'good-secret') {
    return { status: 401, body: { error: 'invalid_client', error_description: 'no' } };
  }
  if (form.has('token')) return { body: '' };
  const scope = form.get('scope');
  return {
    body: {
      access_token: `token-${next()}`,
      expires_in: 3600,
      token_type: 'Bearer',
      scope: scope ?? 'read',
    },
  };
}

/** The caller of `/api/self/`: an engineer of demand partner 1001. */
export const SELF = {
  id: 1,
  email: 'engineer@acme.example',
  groups: ['demand-partner'],
  status: 'ACTIVE',
  association: { type: 'DEMAND_PARTNER', entity_id: 1001 },
};
