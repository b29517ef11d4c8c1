import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import { readUtf8 } from '../../configuration/utf8.ts';
import { FILE_MAX_BYTES } from '../../configuration/yaml-limits.ts';
import { actorOf } from '../actor.ts';
import { NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { showProblem, type FileService } from './file-answer.ts';
import { AppliedSchema, type AppliedAnswer } from './schema.ts';

const PATH = '/configuration';
const YAML = 'application/yaml';
/** Names that YAML had before RFC 9512. */
const YAML_TYPES = [YAML, 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

const QUERY = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'true, which changes nothing and tells what would be, or false',
      }),
    ),
  },
  { additionalProperties: false, title: 'this address' },
);

export interface ConfigurationParts {
  readonly files: FileService;
}

/** `GET` and `PUT /api/configuration/`: `rialto export` and `rialto apply` over HTTP. */
export function registerConfiguration(endpoints: Endpoints, { files }: ConfigurationParts): void {
  endpoints.add(
    {
      id: 'exportConfiguration',
      method: 'GET',
      path: PATH,
      tag: 'Operation',
      summary: 'Export the whole configuration',
      description:
        'The whole configuration as the file in YAML that this address takes with `PUT`, without its secrets: passwords, secrets of applications, reporting tokens and headers of bidders. Applied to an empty exchange, and exported there, it gives the same file. What no file says is not in it: stops of bidders, and decisions on creatives.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the configuration',
        schema: Type.String({ description: 'a configuration file in YAML' }),
        type: YAML,
        example: EXAMPLE_FILE,
        headers: { 'Content-Disposition': 'the name of a file to save it as' },
      },
    },
    async ({ reply }) => {
      reply
        .type(`${YAML}; charset=utf-8`)
        .header('content-disposition', 'attachment; filename="rialto-configuration.yaml"');
      return files.export();
    },
  );
  endpoints.add(
    {
      id: 'applyConfiguration',
      method: 'PUT',
      path: PATH,
      tag: 'Operation',
      summary: 'Apply a configuration file',
      description: `Brings the configuration to what a file in YAML says (JSON is YAML too), of at most ${FILE_MAX_BYTES / 1024 / 1024} MB: all of it or nothing. What the file leaves out stays as it is, nothing is deleted, and no secret is changed once it is set. The same file again changes nothing. Every problem is told with its line and column.`,
      roles: OPERATORS,
      query: QUERY,
      body: {
        schema: Type.String({ description: `a configuration file in YAML, sent as ${YAML}` }),
        type: YAML,
        example: EXAMPLE_FILE,
      },
      answer: {
        status: 200,
        meaning: 'what the file came to',
        schema: AppliedSchema,
        example: EXAMPLE,
      },
      errors: ['body_too_large', 'unsupported_media_type'],
    },
    async ({ caller, query, body, reply }) => {
      const dryRun = query.dry_run === true;
      const answer = await files.apply({ text: body, actor: actorOf(caller), dryRun });
      if (!answer.ok) throw new RialtoError('invalid_request', answer.problems.map(showProblem));
      return reply.type('application/json; charset=utf-8').send(answer.json);
    },
  );
}

/**
 * Reads bodies in YAML as text, of the one endpoint that takes them. Messages about the text never
 * quote it: passwords stand in it.
 */
export function acceptConfigurationFiles(api: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: FILE_MAX_BYTES } as const;
  api.addContentTypeParser(YAML_TYPES, options, async (request: FastifyRequest, body: Buffer) => {
    const { url = '' } = request.routeOptions;
    if (!url.replace(/\/$/, '').endsWith(PATH)) throw new RialtoError('unsupported_media_type');
    const read = readUtf8(body);
    if ('text' in read) return read.text;
    throw new RialtoError('invalid_request', [showProblem(read.problem)]);
  });
}

const EXAMPLE_FILE = `demand_partners:
  - id: 1001
    name: Acme DSP
    line_items:
      - { id: 501, status: PAUSED }
`;

const EXAMPLE: AppliedAnswer = {
  created: 0,
  updated: 1,
  unchanged: 1,
  version: 'a3f1c09b52de4778.13',
  changes: [
    {
      action: 'updated',
      resource: 'line item',
      resource_id: '501',
      fields: [{ field: 'floor', before: 0.5, after: 0.75 }],
    },
  ],
  notes: [],
};
