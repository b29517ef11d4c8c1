import type { TSchema } from 'typebox';
import type { ErrorCode } from '../base/errors.ts';

/**
 * One operation of control's HTTP interface, as the code that serves it describes it. What repeats
 * in an OpenAPI document (schemes, answers with problems, named schemas) is left to `document.ts`.
 */
export interface Operation {
  /** Unique in the document: `listLineItems`. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** The whole path, with `{name}` for parameters: `/api/self/`. */
  readonly path: string;
  /** The group of operations that it stands in. */
  readonly tag: string;
  /** One line, as a command. */
  readonly summary: string;
  /** Full sentences, in Markdown. */
  readonly description?: string;
  /** The kinds of users that may call it; none where it is not for users. */
  readonly roles: readonly string[];
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  /** One form for each content type that it may be sent in; none for an operation without a body. */
  readonly body: readonly Content[];
  /** What it answers in its own form. */
  readonly answers: readonly Answer[];
  /** What it answers as problem details; the codes of one status make one answer. */
  readonly problems: readonly ErrorCode[];
}

/** How a caller proves who it is. */
export type Access =
  /** An access token, or in its place a session. */
  | { readonly scheme: 'accessToken'; readonly scope: 'read' | 'write' }
  /** A browser in which somebody has signed in. */
  | { readonly scheme: 'session' }
  | { readonly scheme: 'none' }
  | { readonly scheme: 'client' }
  | { readonly scheme: 'accountToken' };

/** A parameter of the path or the query, or a header of the request. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: unknown;
  /** Lists of a query that are written with commas. */
  readonly isCommaSeparated?: boolean;
}

/** A body in one content type. */
export interface Content {
  readonly type: string;
  readonly schema: TSchema;
  /** Undefined where there is none. */
  readonly example?: unknown;
}

/** An answer with a status; without contents it is empty. */
export interface Answer {
  readonly status: number;
  readonly meaning: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contents: readonly Content[];
}
