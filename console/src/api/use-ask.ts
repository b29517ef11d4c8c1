import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer, type Call, type Query } from './client.ts';
import type { Answers } from './answers.ts';
import type { ApiProblem } from './problem.ts';
import type { Report } from './report.ts';
import { useShownCall } from './shown-calls.ts';
import { untilRows } from './until-rows.ts';

export interface AskOptions {
  /** False while it is not known what to ask. */
  readonly enabled?: boolean;
  /** Asks again after so long, as long as the page is looked at. */
  readonly everyMs?: number;
  /** Of a list that may begin with empty parts: what is shown begins where there are rows. */
  readonly untilRows?: boolean;
  /** For a POST that only asks. */
  readonly body?: unknown;
}

export type Asked<Body> = UseQueryResult<Answer<Body>, ApiProblem>;

/** An address that answers with JSON: an endpoint of the API. */
export type AskedPath = Answers[number][0];

/** What an address answers. */
export type AnswerOf<Path extends string, Table = Answers> = Table extends [
  [infer Pattern, infer Body],
  ...infer Rest,
]
  ? Path extends Pattern
    ? Body
    : AnswerOf<Path, Rest>
  : never;

/**
 * Asks control for what a page shows. Whatever is asked so can be looked at as an API call
 * (`parts/api-calls.tsx`). While other parameters of the same address are asked for, what was there
 * stays, marked by `isPlaceholderData`.
 *
 * @param path from the server's root: `/api/self/`.
 */
export function useAsk<Path extends AskedPath>(
  path: Path,
  query?: Query,
  options?: AskOptions,
): Asked<AnswerOf<Path>> {
  return useCall<AnswerOf<Path>>(path, query, options);
}

/** Asks for a publisher's report with its figures: in general its columns are those that the query asks for. */
export function useAskReport(
  path: `/api/publishers/${number}/report/`,
  query: Query,
  options?: AskOptions,
): Asked<Report> {
  return useCall<Report>(path, query, options);
}

function useCall<Body>(
  path: string,
  query: Query = {},
  { enabled = true, everyMs, untilRows: isFollowed = false, body }: AskOptions = {},
): Asked<Body> {
  const asked: Call = { method: body === undefined ? 'GET' : 'POST', path, query, body };
  useShownCall(asked, enabled);
  return useQuery<Answer<Body>, ApiProblem>({
    queryKey: body === undefined ? [path, query] : [path, query, body],
    queryFn: async ({ signal }) => {
      const first = await call<Body>(asked, signal);
      if (!isFollowed) return first;
      return untilRows(first, (next) => call<Body>({ method: 'GET', path: next }, signal));
    },
    enabled,
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[0] === path ? keepPreviousData(previous) : undefined,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}
