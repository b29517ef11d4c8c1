import Type, { type Static } from 'typebox';

const HEADERS_MAX = 20;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 1_024;

/**
 * Headers that a partner wants on its bid requests, an API key or an account, say. Names are tokens
 * and values visible ASCII with spaces inside (RFC 9110 sections 5.1 and 5.5), so that nothing ends
 * the header early. A `password` is shown to nobody but those whose settings they are.
 */
export const BIDDER_HEADERS = Type.Record(
  Type.String({ pattern: `^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${NAME_LENGTH_MAX}}$` }),
  Type.String({
    minLength: 1,
    maxLength: VALUE_LENGTH_MAX,
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    format: 'password',
    description: `a text of 1 to ${VALUE_LENGTH_MAX} printable ASCII characters without a space at its ends, in quotes if it is a number`,
  }),
  {
    additionalProperties: false,
    maxProperties: HEADERS_MAX,
    title: 'headers of a bidder',
    description: `a mapping of at most ${HEADERS_MAX} names of headers, each of 1 to ${NAME_LENGTH_MAX} letters, digits and -_.!#$%&'*+^\`|~, to their values`,
  },
);

export type BidderHeaders = Static<typeof BIDDER_HEADERS>;
