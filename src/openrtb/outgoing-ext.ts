/**
 * The only extension fields that the exchange sends, beside `imp.ext.native` of 2.2. The spec leaves
 * extensions open (sections 2.3, 2.7, 2.19); these are the ones that privacy laws, the supply chain
 * and rewarded or outstream video need, where bidders look for them.
 */
import { array, code, flag, id, integer, longText, object, optional, text } from './fields.ts';
import { configured, filled, overridable, requested } from './filling.ts';
import { US_PRIVACY_ALLOWED, US_PRIVACY_PATTERN } from './us-privacy.ts';

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
export const SupplyChainSchema = object('A supply chain.', {
  complete: flag('1 = all nodes back to the owner are named.'),
  nodes: array(SupplyChainNodeSchema, 'The sellers, the owner first.', { minItems: 1 }),
  ver: code('Version of the supply chain object.', { enum: ['1.0'] }),
});

const SCHAIN =
  'As the request says, with the node of the exchange behind it; that node alone where the request has none. Not complete without it.';

/** What `source.ext` carries. */
export const SourceExtSchema = filled(
  object('Extension of Source.', { schain: optional(SupplyChainSchema) }),
  { schain: overridable(SCHAIN) },
);

/** What `BidRequest.ext` carries in 2.2, which has no Source. */
export const BidRequestExt22Schema = filled(
  object('Extension of BidRequest.', { schain: optional(SupplyChainSchema) }),
  { schain: overridable(SCHAIN) },
);

/** What `regs.ext` carries: section 2.3, and the signals of US privacy and GPP. */
export const RegsExtSchema = filled(
  object('Extension of Regs.', {
    gdpr: optional(flag('1 = subject to GDPR.')),
    us_privacy: optional(
      code('US privacy string.', {
        pattern: US_PRIVACY_PATTERN,
        'x-allowed': US_PRIVACY_ALLOWED,
      }),
    ),
    gpp: optional(longText('Global Privacy Platform string.')),
    gpp_sid: optional(array(integer('A section id.'), 'Sections of the GPP string that apply.')),
  }),
  { gdpr: requested(), us_privacy: requested(), gpp: requested(), gpp_sid: requested() },
);

/** What `user.ext` carries: section 2.19. */
export const UserExtSchema = filled(
  object('Extension of User.', {
    consent: optional(longText("The user's consent string.")),
  }),
  { consent: requested() },
);

/** What `video.ext` carries: section 2.7 wants it only for rewarded or outstream video. */
export const VideoExtSchema = filled(
  object('Extension of Video.', {
    rewarded: optional(integer('1 = rewarded.', { minimum: 1, maximum: 1 })),
    outstream: optional(integer('1 = outstream.', { minimum: 1, maximum: 1 })),
  }),
  {
    rewarded: configured('1 for a rewarded ad space.'),
    outstream: configured('1 for an outstream ad space.'),
  },
);
