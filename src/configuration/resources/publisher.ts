import Type, { type Static } from 'typebox';
import { BASIS_POINTS } from '../../base/money.ts';
import type { Publisher } from '../../snapshot/entities.ts';
import { flagColumn } from '../columns.ts';
import { ID, NAME, SHARE, STATUS, mapping } from '../fields.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { BLOCKING_KEYS, NOTHING_BLOCKED, blockingColumns, blockingEntity } from './blocking.ts';

/** Who sells. Its apps, sites, users and account are resources of their own. */
export const PublisherSchema = mapping('a publisher', {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  revenue_share: Type.Optional(SHARE),
  price_basis: Type.Optional(Type.Enum(['net', 'gross'], { description: 'net or gross' })),
  confirms_wins: Type.Optional(
    Type.Boolean({
      description:
        'true if the publisher decides which bid it shows, so that a win counts once it is confirmed, or false',
    }),
  ),
  ...BLOCKING_KEYS,
});

export type PublisherInput = Static<typeof PublisherSchema>;

/** A publisher, new or changed. Money is never guessed against it: see the note on its share. */
export function planPublisher(plan: Plan, element: Element<PublisherInput>): void {
  const { input, path, unsound } = element;
  const stored = plan.state.publishers.get(input.id);
  if (stored === undefined) {
    plan.require(element, ['name']);
    if (input.revenue_share === undefined && !unsound.has('revenue_share')) {
      plan.note(path, 'has no revenue_share, so that it gets the whole clearing price');
    }
  }
  const next: Row<'publishers'> = {
    id: input.id,
    name: input.name ?? stored?.name ?? '',
    status: input.status ?? stored?.status ?? 'ACTIVE',
    revenue_share_bps:
      input.revenue_share === undefined
        ? (stored?.revenue_share_bps ?? BASIS_POINTS)
        : Math.round(input.revenue_share * BASIS_POINTS),
    price_basis: input.price_basis ?? stored?.price_basis ?? 'net',
    confirms_wins: flagColumn(input.confirms_wins, stored?.confirms_wins ?? 0),
    ...blockingColumns(input, stored ?? NOTHING_BLOCKED),
  };
  const names = { noun: 'publisher', name: input.id };
  plan.state.publishers.set(
    input.id,
    plan.save({ table: 'publishers', stored, next, path, ...names }),
  );
}

/** A publisher as the exchange works with it. */
export function publisherEntity(row: Row<'publishers'>): Publisher {
  return {
    kind: 'publisher',
    id: row.id,
    name: row.name,
    status: row.status,
    revenueShareBps: row.revenue_share_bps,
    priceBasis: row.price_basis,
    confirmsWins: row.confirms_wins === 1,
    blocking: blockingEntity(row),
  };
}
