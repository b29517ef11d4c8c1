import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.ts';

/** A request whose caller may call the endpoint, and whose query and body are as it asks for. */
export interface Asked<Query, Body> {
  readonly caller: Caller;
  /** Of the path, as they stand in the address. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
