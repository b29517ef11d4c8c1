import { PUBLISHER, type PublisherInput } from '../../resources/publisher.ts';
import type { Publisher } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { floorFaults } from './floors.ts';

/** A publisher, new or changed. */
export function planPublisher(plan: Plan, element: Element<PublisherInput>): void {
  const { input, path } = element;
  const stored = plan.state.publishers.get(input.id);
  if (stored === undefined) plan.require(element, PUBLISHER.needed);
  plan.findAll(path, floorFaults(input.floors));
  const next: Row<'publishers'> = {
    id: input.id,
    ...PUBLISHER.row(input, stored ?? PUBLISHER.initial),
  };
  const names = { noun: 'publisher', name: input.id, document: publisherDocument };
  plan.state.publishers.set(
    input.id,
    plan.save({ table: 'publishers', stored, next, path, ...names }),
  );
}

/** A publisher as the exchange works with it. */
export function publisherEntity(row: Row<'publishers'>): Publisher {
  return { kind: 'publisher', id: row.id, ...PUBLISHER.entity(row) };
}

/** A publisher in the form that people write. */
export function publisherDocument(row: Row<'publishers'>): Required<PublisherInput> {
  return { id: row.id, ...PUBLISHER.document(row) };
}
