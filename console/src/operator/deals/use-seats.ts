import { useQueries } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useAsk } from '../../api/use-ask.ts';
import type { ShownLineItem } from '../../../../src/management/line-items/schema.ts';

/** Seats are only suggested: of so many partners, and whoever knows others types them. */
const PARTNERS_MAX = 20;
const SEATS_MAX = 500;

/** The seats that line items have, for whoever makes a deal. */
export function useSeats(): readonly string[] {
  const partners = useAsk('/api/demand-partners/', {
    sort: 'name',
    limit: PARTNERS_MAX,
  });
  const found = useQueries({
    queries: (partners.data?.body ?? []).map(({ id }) => seatsQuery(id)),
  });
  const seats = new Set(found.flatMap(({ data }) => data ?? []));
  return [...seats].toSorted().slice(0, SEATS_MAX);
}

function seatsQuery(partnerId: number) {
  const path = `/api/demand-partners/${partnerId}/line-items/xch/` as const;
  return {
    queryKey: [path, 'seats'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly string[]> => {
      const query = { limit: SEATS_MAX };
      const { body } = await call<ShownLineItem[]>({ method: 'GET', path, query }, signal);
      return body.flatMap(({ seat, status }) =>
        status === 'ARCHIVED' || seat === null ? [] : [seat],
      );
    },
  };
}
