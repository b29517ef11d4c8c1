import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useChange } from '../../api/use-change.ts';
import { FieldProblems } from './field-problems.ts';
import { differences, patchOf, rebased, same, type Difference } from './changes.ts';

const STALE = 412;

/** How a resource stands in a form whose fields say it in another way than the API does. */
interface Form<Resource, Draft> {
  readonly draftOf: (resource: Resource) => Draft;
  /** What the API has of it. */
  readonly bodyOf: (draft: Draft) => object;
  /** By what people call its parts; as the API has it unless given. */
  readonly wordsOf?: (draft: Draft) => object;
}

interface EditOptions<Resource, Draft> {
  /** What is changed: as it was read, or what a new one begins with. */
  readonly start: Draft;
  /** As it came with `start`; null for a new one. */
  readonly etag: string | null;
  /** Of the resource; of its list for a new one. */
  readonly path: string;
  /** Unless given, what has no ETag is made. */
  readonly method?: 'PATCH' | 'POST';
  readonly onSaved: (saved: Resource) => void;
}

/** A resource that somebody changes, until it is saved. */
export interface Edit<Draft> {
  readonly draft: Draft;
  readonly set: <Key extends keyof Draft>(key: Key, value: Draft[Key]) => void;
  /** Changes several keys at once. */
  put(this: void, part: Partial<Draft>): void;
  readonly isChanged: boolean;
  /** For leaving the page: false as soon as a new one is saved. */
  readonly holdsBack: () => boolean;
  readonly isPending: boolean;
  readonly problems: FieldProblems;
  /** Why the last attempt was not saved; null for no reason. */
  readonly problem: ApiProblem | null;
  /** Whether somebody else was faster: then nothing was saved. */
  readonly isStale: boolean;
  /** What somebody else has saved in the meantime; empty for nothing that the form shows. */
  readonly others: readonly Difference[];
  readonly save: () => void;
  readonly discard: () => void;
}

interface State<Draft> {
  readonly base: Draft;
  readonly draft: Draft;
  readonly etag: string | null;
  readonly others: readonly Difference[];
}

/** Changes a resource whose form has the keys of the API; see `useEditOf`. */
export function useEdit<Resource extends object>(
  options: EditOptions<Resource, Resource>,
): Edit<Resource> {
  return useEditOf({ draftOf: itself, bodyOf: itself }, options);
}

/**
 * Changes a resource, or makes one. Only what was changed is sent. Where somebody else has saved
 * something since, nothing is sent over it: what was typed is kept on top of theirs, and shown beside.
 */
export function useEditOf<Resource extends object, Draft extends object>(
  { draftOf, bodyOf, wordsOf = bodyOf }: Form<Resource, Draft>,
  options: EditOptions<Resource, Draft>,
): Edit<Draft> {
  const { start, etag, path, method = etag === null ? 'POST' : 'PATCH', onSaved } = options;
  const queries = useQueryClient();
  const [state, setState] = useState(() => settled(start, start, etag));
  const [seen, setSeen] = useState(etag);
  const isMade = useRef(false);
  const sent = useRef(start);
  const change = useChange<Resource>(({ body, etag: next }) => {
    const saved = draftOf(body);
    if (method === 'POST') isMade.current = true;
    else setState(({ draft }) => settled(rebased(sent.current, draft, saved), saved, next));
    onSaved(body);
  });
  const isChanged = !same(bodyOf(state.base), bodyOf(state.draft));
  // Read anew: shown at once where nothing was typed; else saving finds out.
  if (seen !== etag) {
    setSeen(etag);
    if (!isChanged && state.etag !== etag) setState(settled(start, start, etag));
  }
  const takeTheirs = async (): Promise<void> => {
    const { body, etag: now } = await call<Resource>({ method: 'GET', path });
    const theirs = draftOf(body);
    setState(({ base, draft }) => ({
      base: theirs,
      draft: rebased(base, draft, theirs),
      etag: now,
      others: differences(wordsOf(base), wordsOf(draft), wordsOf(theirs)),
    }));
    await queries.invalidateQueries();
  };
  const isStale = change.error?.status === STALE;
  return {
    draft: state.draft,
    set: (key, value) => setState((now) => ({ ...now, draft: { ...now.draft, [key]: value } })),
    put: (part) => setState((now) => ({ ...now, draft: { ...now.draft, ...part } })),
    isChanged,
    holdsBack: () => isChanged && !isMade.current,
    isPending: change.isPending,
    problems: new FieldProblems(isStale ? null : change.error),
    problem: change.error,
    isStale,
    others: state.others,
    save: () => {
      const { base, draft, etag: ifMatch } = state;
      sent.current = draft;
      const body = method === 'POST' ? bodyOf(draft) : patchOf(bodyOf(base), bodyOf(draft));
      change.mutate(
        { method, path, body, ifMatch },
        {
          onError: ({ status }) => {
            // Should it not be there either, then the next attempt says so.
            if (status === STALE) void takeTheirs().catch(() => {});
          },
        },
      );
    },
    discard: () => {
      change.reset();
      setState(({ base, etag: current }) => settled(base, base, current));
    },
  };
}

function itself<Value>(value: Value): Value {
  return value;
}

function settled<Draft>(draft: Draft, base: Draft, etag: string | null): State<Draft> {
  return { base, draft, etag, others: [] };
}
