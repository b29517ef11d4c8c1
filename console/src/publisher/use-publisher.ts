import { useParams } from '@tanstack/react-router';
import type { ShownPublisher } from '../../../src/management/publishers/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';

/** Where a publisher's pages are, and where the API has what they show. */
export interface PublisherPlace {
  readonly id: number;
  /** Of the console: `/publishers/2001`. */
  readonly root: string;
  /** Of the API: `/api/publishers/2001`. */
  readonly api: `/api/publishers/${number}`;
}

/** The publisher whose page this is. */
export function usePublisher(): PublisherPlace {
  const { publisherId } = useParams({ strict: false });
  const id = Number(publisherId);
  return { id, root: `/publishers/${id}`, api: `/api/publishers/${id}` };
}

/** The publisher itself. */
export function useAskPublisher(): Asked<ShownPublisher> {
  return useAsk(`${usePublisher().api}/`);
}
