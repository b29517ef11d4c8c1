/** One fault of what was sent. Source: RFC 9457 as the management API answers it. */
export interface FieldProblem {
  /** A JSON pointer into the body, or the name of a query's parameter. */
  readonly pointer: string;
  readonly message: string;
}

/** Said where nothing comes back at all. */
export const UNREACHABLE =
  'Control does not answer: it may be restarting, or the connection is lost.';

/** Why a request did not succeed: an answer that says so, or none at all. */
export class ApiProblem extends Error {
  /** Of HTTP; 0 where control was not reached. */
  readonly status: number;
  /** Stable, from the server's table of errors. */
  readonly code: string;
  readonly problems: readonly FieldProblem[];
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    { code, message, problems = [], retryAfterSeconds = null }: ProblemParts,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Nobody is signed in (any more). */
  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** Control is away, starts, or cannot work now: asking again later may do. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

interface ProblemParts {
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly FieldProblem[];
  readonly retryAfterSeconds?: number | null;
}

/** Reads an answer that is no success, whatever it is made of. */
export async function problemOf(answer: Response): Promise<ApiProblem> {
  const text = await answer.text().catch(() => '');
  const body = readObject(text);
  const { status } = answer;
  const message =
    stringIn(body, 'detail') ?? stringIn(body, 'title') ?? `The server answered ${status}.`;
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem(status, {
    code: stringIn(body, 'code') ?? `http_${status}`,
    message,
    problems: readProblems(body),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

function readProblems(body: object): FieldProblem[] {
  const errors: unknown = Object.entries(body).find(([key]) => key === 'errors')?.[1];
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const message = stringIn(each, 'message');
    return message === null ? [] : [{ pointer: stringIn(each, 'pointer') ?? '', message }];
  });
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function stringIn(body: object, key: string): string | null {
  const value: unknown = Object.entries(body).find(([name]) => name === key)?.[1];
  return typeof value === 'string' && value !== '' ? value : null;
}
