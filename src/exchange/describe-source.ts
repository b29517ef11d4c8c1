import Type from 'typebox';
import { definedField, ownField } from '../base/fields.ts';
import { wellFormedJson } from '../base/well-formed-json.ts';
import { SourceSchema } from '../openrtb/bid-request.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { SupplyChainSchema } from '../openrtb/supply-chain.ts';
import { createSendable } from '../openrtb/sendable.ts';
import type { ExchangeSettings, Publisher } from '../snapshot/entities.ts';
import { sellerIdOf } from './sellers.ts';

const sendableSource = createSendable(Type.Pick(SourceSchema, ['tid', 'pchain']));
const sendableChain = createSendable(SupplyChainSchema);

/** Stands between the nodes of a payment chain, and between the two ids of each. */
const NODE_MARK = '!';
const ID_MARK = ':';

/** What is sold, through whom. */
export interface Sale {
  readonly request: IncomingRequest;
  readonly exchange: ExchangeSettings;
  /** A win is final only once the publisher confirms it. */
  readonly publisherDecides: boolean;
}

/** The fields of Source without the supply chain: who decides, the transaction, who is paid. */
export function describeSource(sale: Sale, publisher: Publisher): object {
  const sent = sendableSource(sale.request.source);
  const pchain = paymentChain(sent?.pchain, sale.exchange, publisher);
  return { fd: sale.publisherDecides ? 1 : 0, ...sent, ...definedField('pchain', pchain) };
}

/** The chain that came with our node at its end; the chain as it came where we have no id. */
function paymentChain(
  sent: string | undefined,
  { paymentId }: ExchangeSettings,
  publisher: Publisher,
): string | undefined {
  if (paymentId === null) return sent;
  const own = `${paymentId}${ID_MARK}${sellerIdOf(publisher)}`;
  return sent === undefined ? own : `${sent}${NODE_MARK}${own}`;
}

/** A supply chain as JSON, but for the id of the bid request that it stands in. */
export type SupplyChain = (requestId: string) => string;

/**
 * The supply chain 1.0 that came with our node at its end; null where there is none to tell. It is
 * complete only if it was so when it came, and if we could name ourselves in it: a chain that lacks
 * one of its sellers must not say otherwise.
 */
export function describeSupplyChain(
  { request, exchange }: Sale,
  publisher: Publisher,
): SupplyChain | null {
  const came = cameWith(request.source);
  const { domain } = exchange;
  if (came === undefined && domain === null) return null;
  const upstream = sendableChain(came);
  if (domain === null) {
    if (upstream === undefined) return null;
    const broken = wellFormedJson({ ...upstream, complete: 0 });
    return () => broken;
  }
  // Without any, the publisher itself sells: ours is the first node, and the only one.
  const complete = came === undefined ? 1 : (upstream?.complete ?? 0);
  const nodes = (upstream?.nodes ?? []).map((node) => `${wellFormedJson(node)},`).join('');
  const own = wellFormedJson({ asi: domain, sid: sellerIdOf(publisher), hp: 1 }).slice(0, -1);
  const start = `{"ver":"1.0","complete":${complete},"nodes":[${nodes}${own},"rid":"`;
  return (requestId) => `${start}${requestId}"}]}`;
}

/** The chain of a publisher's request, where 2.5 has it or where 2.6 moved it. */
function cameWith(source: IncomingRequest['source']): unknown {
  return ownField(source?.ext, 'schain') ?? ownField(source, 'schain');
}
