import type { Static } from 'typebox';
import { array, code, ext, flag, id, object, optional, required, text } from './fields.ts';
import { overridable } from './filling.ts';

const NODE = 'As the request says; of the exchange itself its domain, the seller, and its request.';

/** SupplyChainNode, OpenRTB 2.6 section 3.2.26: one seller of a chain. */
export const SupplyChainNodeSchema = object('One hop of a supply chain.', {
  asi: required(text('Domain of the seller system.'), overridable(NODE)),
  sid: required(id("The seller's id in that system."), overridable(NODE)),
  hp: required(flag('1 = this node is paid.'), overridable(NODE)),
  rid: optional(id('Id of the request at this node.'), overridable(NODE)),
  name: optional(text('Name of the seller.'), overridable(NODE)),
  domain: optional(text('Domain of the seller.'), overridable(NODE)),
  ext: ext(),
});

/** SupplyChain, OpenRTB 2.6 section 3.2.25: the sellers between the inventory's owner and the bidder. */
export const SupplyChainSchema = object('A supply chain.', {
  complete: required(
    flag('1 = all nodes back to the owner are named.'),
    overridable('1 if the chain that came says so, or none came.'),
  ),
  nodes: required(
    array(SupplyChainNodeSchema, 'The sellers, the owner first.', { minItems: 1 }),
    overridable('Those of the request, and the exchange behind them.'),
  ),
  ver: required(
    code('Version of the supply chain object.', { enum: ['1.0'] }),
    overridable('Always 1.0.'),
  ),
  ext: ext(),
});
export type SupplyChain = Static<typeof SupplyChainSchema>;
