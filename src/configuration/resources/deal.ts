import { dollarsFromMicros, microsFromDollars } from '../../base/money.ts';
import type { Deal } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { DEAL, type DealInput } from '../../resources/deal.ts';

type Amount = 'price' | 'floor';
type DealDocument = Required<Omit<DealInput, Amount>> & { readonly [Key in Amount]?: number };

/** A deal, new or changed; `checkDeals` holds what it names against the rest. */
export function planDeal(plan: Plan, element: Element<DealInput>): void {
  const { input, path } = element;
  const stored = plan.state.deals.get(input.id);
  if (stored === undefined) plan.require(element, DEAL.needed);
  checkAmount(plan, element, stored);
  const { ad_spaces, seats } = input;
  const next: Row<'deals'> = {
    id: input.id,
    ...DEAL.row(
      {
        ...input,
        // One that stood twice under an ad space would be offered twice.
        ...(ad_spaces === undefined ? {} : { ad_spaces: [...new Set(ad_spaces)] }),
        ...(seats === undefined ? {} : { seats: [...new Set(seats)] }),
      },
      stored ?? DEAL.initial,
    ),
    floor_micros: amountMicros(input) ?? stored?.floor_micros ?? 0,
  };
  const names = { noun: 'deal', name: input.id, document: dealDocument };
  plan.state.deals.set(next.id, plan.save({ table: 'deals', stored, next, path, ...names }));
}

/** Ids that a file names, also where the resource that has them is not sound itself. */
export interface NamedIds {
  readonly adSpaces: ReadonlySet<unknown>;
  readonly seats: ReadonlySet<unknown>;
}

/** A deal names ad spaces and seats that exist. Needs all of the other resources planned before. */
export function checkDeals(plan: Plan, named: NamedIds): void {
  const known = new Set<unknown>(named.seats);
  for (const { seat } of plan.state.lineItems.values()) known.add(seat);
  for (const deal of plan.state.deals.values()) {
    const path = plan.originOf(deal);
    const { adSpaceIds, seats } = dealEntity(deal);
    for (const [index, seat] of seats.entries()) {
      if (known.has(seat)) continue;
      if (path === undefined) {
        plan.note(
          [],
          `Deal "${deal.id}" is for seat "${seat}", which no line item has any longer.`,
        );
      } else {
        plan.find([...path, 'seats', index], `is "${seat}", a seat that no line item has`);
      }
    }
    if (path === undefined) continue;
    for (const [index, id] of adSpaceIds.entries()) {
      if (!plan.state.adSpaces.has(id) && !named.adSpaces.has(id)) {
        plan.find([...path, 'ad_spaces', index], `is ${id}, an ad space that does not exist`);
      }
    }
  }
}

/** A deal as the exchange works with it. */
export function dealEntity(row: Row<'deals'>): Deal {
  return { kind: 'deal', id: row.id, ...DEAL.entity(row), floorMicros: row.floor_micros };
}

/** A deal in the form that people write: with a price if that is fixed, else with a floor. */
export function dealDocument(row: Row<'deals'>): DealDocument {
  const amount = dollarsFromMicros(row.floor_micros);
  return {
    id: row.id,
    ...DEAL.document(row),
    ...(row.type === 'fixed_price' ? { price: amount } : { floor: amount }),
  };
}

/**
 * A fixed price is a price, the others have a floor; it is said out loud, since 0 means 0. Null says
 * that there is none, as the other kind has it.
 */
function checkAmount(
  plan: Plan,
  { input, path, unsound }: Element<DealInput>,
  stored: Row<'deals'> | undefined,
): void {
  const type = input.type ?? stored?.type;
  if (type === undefined || unsound.has('type')) return;
  const [right, wrong] =
    type === 'fixed_price' ? (['price', 'floor'] as const) : (['floor', 'price'] as const);
  const [amount, other] = [input[right], input[wrong]];
  if (typeof other === 'number' || unsound.has(wrong)) {
    plan.find([...path, wrong], `does not go with a ${type} deal, which has a ${right}`);
  } else if (unsound.has(right)) {
    return;
  } else if (amount === null || (amount === undefined && type !== stored?.type)) {
    plan.find(path, `needs ${right}, since it is a ${type} deal`);
  }
}

function amountMicros({ price, floor }: DealInput): number | null {
  const amount = price ?? floor ?? null;
  return amount === null ? null : microsFromDollars(amount);
}
