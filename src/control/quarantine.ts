import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { HeldService } from '../analytics/held-service.ts';
import { ShownHeldSchema } from '../analytics/held-schema.ts';

const ChoiceSchema = Type.Object(
  { id: Type.String({ pattern: '^[0-9a-f]{16}$' }) },
  { additionalProperties: false },
);

export const HeldListSchema = Type.Object({ entries: Type.Array(ShownHeldSchema) });

/** What was asked of one entry; null where there is none. */
export function heldAnswer<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Object({ answer: Type.Union([schema, Type.Null()]) });
}

/**
 * For `rialto quarantine`. `POST /internal/quarantine` answers with all entries, `…/show`, `…/retry` and
 * `…/drop` are about one.
 */
export function registerQuarantine(
  app: FastifyInstance,
  service: HeldService<'rialto quarantine'>,
): void {
  app.post('/internal/quarantine', async (_request, reply) =>
    reply.send({ entries: await service.list() }),
  );
  const about = (name: string, work: (id: string) => Promise<unknown>): void => {
    app.post<{ Body: Static<typeof ChoiceSchema> }>(
      `/internal/quarantine/${name}`,
      { schema: { body: ChoiceSchema } },
      async ({ body }, reply) => reply.send({ answer: await work(body.id) }),
    );
  };
  about('show', (id) => service.show(id));
  about('retry', (id) => service.retry(id, 'rialto quarantine'));
  about('drop', (id) => service.drop(id, 'rialto quarantine'));
}
