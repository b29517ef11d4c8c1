import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
import type { Page } from '../configuration/resource-rows.ts';
import { whole } from '../resources/vocabulary.ts';

const LIMIT_MAX = 10_000;
const LIMIT_DEFAULT = 1_000;
const OFFSET_MAX = 10_000_000;

/** What `answerPage` says of a list, for the reference. */
export const LIST_HEADERS = {
  'X-Total-Count': 'how many there are in all',
  Link: 'where the other parts of the list are (RFC 8288)',
};

/** The query of a list: filters of its own, `limit`, `offset`, and the columns to sort by. */
export function listQuery<Filters extends TProperties>(filters: Filters, sorts: readonly string[]) {
  const orders = sorts.flatMap((column) => [column, `-${column}`]);
  return Type.Object(
    {
      ...filters,
      limit: Type.Optional(whole(1, LIMIT_MAX, `; ${LIMIT_DEFAULT} if nothing is said`)),
      offset: Type.Optional(whole(0, OFFSET_MAX)),
      sort: Type.Optional(
        Type.Enum(orders, {
          description: `one of ${sorts.join(', ')}, with - before it for the highest first`,
        }),
      ),
    },
    { additionalProperties: false, title: 'this list' },
  );
}

interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly sort?: string;
}

/** The part of a list that was asked for. */
export function pageOf({ limit = LIMIT_DEFAULT, offset = 0, sort }: PageQuery): Page {
  const column = sort?.replace('-', '') ?? null;
  return { limit, offset, sort: column === null ? null : { column, descending: sort !== column } };
}

/** Says how long the whole list is, and where its other parts are (RFC 8288). */
export function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, total }: { readonly page: Page; readonly total: number },
): void {
  const { limit, offset } = page;
  const links: string[] = [];
  const link = (rel: string, at: number): void => {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(at));
    links.push(`<${url.pathname}${url.search}>; rel="${rel}"`);
  };
  if (offset > 0) {
    link('first', 0);
    link('prev', Math.max(0, offset - limit));
  }
  if (offset + limit < total) {
    link('next', offset + limit);
    link('last', Math.floor((total - 1) / limit) * limit);
  }
  reply.header('x-total-count', String(total));
  if (links.length > 0) reply.header('link', links.join(', '));
}
