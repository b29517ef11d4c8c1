import Type, { type TObject, type TSchema } from 'typebox';
import type { ErrorCode } from '../base/errors.ts';
import type { CallerRole, Scope } from '../identity/caller.ts';

/**
 * What an endpoint of the management API says of itself. One source for who may call it, for what it
 * accepts, for the OpenAPI document, and for the tests that try every endpoint with every caller.
 */
export interface Endpoint<Query extends TObject = TObject, Body extends TSchema = TSchema> {
  /** The operation's name in the OpenAPI document: `listLineItems`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** After `/api`, with `:name` for parameters, without a slash at the end. */
  readonly path: string;
  /** The group of operations that it stands in: `Line items`. */
  readonly tag: string;
  /** One line, as a command: `List the line items of a demand partner`. */
  readonly summary: string;
  /** Full sentences, in Markdown. */
  readonly description?: string;
  /** The kinds of users that may call it at all; others get 403. */
  readonly roles: readonly CallerRole[];
  /** Set it where a POST only asks. */
  readonly scope?: Scope;
  /** The query's parameters, by their names; others are refused. */
  readonly query: Query;
  /** A query that asks for something, where one without parameters does not. */
  readonly queryExample?: Readonly<Record<string, string>>;
  readonly body: EndpointBody<Body>;
  readonly answer: EndpointAnswer;
  /** Beyond those that every endpoint may answer with. */
  readonly errors?: readonly ErrorCode[];
}

/** What an endpoint is sent. */
export interface EndpointBody<Schema extends TSchema = TSchema> {
  /** What the body must be, checked before the endpoint is called. */
  readonly schema: Schema;
  readonly example?: unknown;
  /** JSON, where nothing is said. */
  readonly type?: string;
  /**
   * For the reference, where `schema` cannot say it: a JSON Merge Patch (RFC 7396) may leave out
   * any key, and is checked by the endpoint itself once it is merged.
   */
  readonly patches?: TSchema;
}

/** For an endpoint without parameters. */
export const NO_QUERY = Type.Object({}, { additionalProperties: false, title: 'this address' });

/** For an endpoint that is sent nothing. */
export const NO_BODY: EndpointBody = { schema: Type.Unknown() };

/** The answer of an endpoint that succeeds. */
export interface EndpointAnswer {
  readonly status: 200 | 201 | 204;
  /** What it is, in a few words. */
  readonly meaning: string;
  /** Another status that the same body may come with: 200 where nothing new was made, say. */
  readonly also?: { readonly status: 200 | 201; readonly meaning: string };
  /** Null for an empty answer. */
  readonly schema: TSchema | null;
  readonly example?: unknown;
  /** JSON, where nothing is said. */
  readonly type?: string;
  /** The same as text, where the query asks for it: `text/csv`, say. */
  readonly asText?: { readonly type: string; readonly example: string };
  /**
   * For an answer with a secret, which is shown once: the field of the answer, or the parameter of the
   * path, that names what the secret belongs to.
   */
  readonly shownOnce?: string;
  /** Whether a request that was answered so has made nothing; its Idempotency-Key is given back then. */
  readonly didNothing?: (body: unknown) => boolean;
  /** Headers of its own, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const EVERYBODY: readonly CallerRole[] = ['operator', 'demand-partner', 'publisher'];
export const OPERATORS: readonly CallerRole[] = ['operator'];
/** Those who buy, and the operator. */
export const DEMAND_SIDE: readonly CallerRole[] = ['operator', 'demand-partner'];
/** Those who sell, and the operator. */
export const SUPPLY_SIDE: readonly CallerRole[] = ['operator', 'publisher'];
