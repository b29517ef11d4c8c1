import { EXCHANGE, type ExchangeInput } from '../../resources/exchange.ts';
import type { ExchangeSettings } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';

/** What holds until the operator says otherwise. */
const DEFAULT_SETTINGS: Row<'exchange_settings'> = { id: 1, ...EXCHANGE.initial };

/** The exchange's settings; those that are not given keep their value, or their default. */
export function planExchange(plan: Plan, element: Element<ExchangeInput>): void {
  const { input, path, unsound } = element;
  const stored = plan.state.exchange;
  const before = stored ?? DEFAULT_SETTINGS;
  const next: Row<'exchange_settings'> = { id: before.id, ...EXCHANGE.row(input, before) };
  const comparable = !unsound.has('tmax_default_ms') && !unsound.has('tmax_max_ms');
  if (comparable && next.tmax_default_ms > next.tmax_max_ms) {
    const [longer, longest] = [next.tmax_default_ms, next.tmax_max_ms];
    plan.find(
      [...path, input.tmax_default_ms === undefined ? 'tmax_max_ms' : 'tmax_default_ms'],
      `makes the default time (${longer} ms) longer than the longest one (${longest} ms)`,
    );
  }
  const names = { noun: 'exchange', name: next.name, document: exchangeDocument };
  plan.state.exchange = plan.save({ table: 'exchange_settings', stored, next, path, ...names });
}

/** The settings in the form that people write; the defaults where none were set. */
export function exchangeDocument(
  row: Row<'exchange_settings'> = DEFAULT_SETTINGS,
): Required<ExchangeInput> {
  return EXCHANGE.document(row);
}

/** The settings as the exchange works with them; the defaults where none were set. */
export function exchangeEntity(row: Row<'exchange_settings'> = DEFAULT_SETTINGS): ExchangeSettings {
  return { kind: 'exchange', ...EXCHANGE.entity(row) };
}
