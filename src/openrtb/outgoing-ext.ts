/**
 * The only extension fields that the exchange sends in 2.5. The spec leaves extensions open
 * (sections 2.3, 2.7, 2.19); these are the ones that privacy laws, the supply chain and rewarded
 * or outstream video need, where bidders look for them in 2.5.
 */
import { array, code, flag, id, integer, longText, object, optional, text } from './fields.ts';

/** One seller of a supply chain, as the trade body's SupplyChain object 1.0 has it. */
const SupplyChainNodeSchema = object('One hop of a supply chain.', {
  asi: text('Domain of the seller system.'),
  sid: id("The seller's id in that system."),
  hp: flag('1 = this node is paid.'),
  rid: optional(id('Id of the request at this node.')),
  name: optional(text('Name of the seller.')),
  domain: optional(text('Domain of the seller.')),
});

/** The sellers between the inventory's owner and the bidder. */
const SupplyChainSchema = object('A supply chain.', {
  complete: flag('1 = all nodes back to the owner are named.'),
  nodes: array(SupplyChainNodeSchema, 'The sellers, the owner first.', { minItems: 1 }),
  ver: code('Version of the supply chain object.', { enum: ['1.0'] }),
});

/** What `source.ext` carries. */
export const SourceExtSchema = object('Extension of Source.', {
  schain: optional(SupplyChainSchema),
});

/** What `regs.ext` carries: section 2.3, and the signals of US privacy and GPP. */
export const RegsExtSchema = object('Extension of Regs.', {
  gdpr: optional(flag('1 = subject to GDPR.')),
  us_privacy: optional(code('US privacy string.')),
  gpp: optional(longText('Global Privacy Platform string.')),
  gpp_sid: optional(array(integer('A section id.'), 'Sections of the GPP string that apply.')),
});

/** What `user.ext` carries: section 2.19. */
export const UserExtSchema = object('Extension of User.', {
  consent: optional(longText("The user's consent string.")),
});

/** What `video.ext` carries: section 2.7 wants it only for rewarded or outstream video. */
export const VideoExtSchema = object('Extension of Video.', {
  rewarded: optional(integer('1 = rewarded.', { minimum: 1, maximum: 1 })),
  outstream: optional(integer('1 = outstream.', { minimum: 1, maximum: 1 })),
});
