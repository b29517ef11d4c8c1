import Type, { type TProperties, type TSchema } from 'typebox';
import {
  BASIS_POINTS,
  PRICE_MAX_MICROS,
  dollarsFromMicros,
  microsFromDollars,
} from '../base/money.ts';
import { CONTENT_CATEGORIES } from '../openrtb/content-taxonomy.ts';
import { ALPHA_2_LANGUAGES } from '../openrtb/iso-codes.ts';
import { COUNTRY, isCountry } from './targeting.ts';

/**
 * The vocabulary of the resources' schemas. Every description completes the sentence "must be …",
 * so that one text serves the error messages and the reference. Secrets are marked `writeOnly`
 * (JSON Schema 2020-12, "Meta-Data"): what was found there is never shown.
 */

/** Highest id that a file may choose; what is above stays free for ids that the exchange gives. */
const ID_MAX = 2_000_000_000;

const PRICE_MAX_DOLLARS = dollarsFromMicros(PRICE_MAX_MICROS);

/** Highest daily spend: a thousand million dollars, which is still exact in micros. */
const SPEND_MAX_DOLLARS = 1_000_000_000;

const LIST_MAX = 10_000;
const URL_LENGTH_MAX = 2_048;

/** Control characters (`\p{Cc}`), for a class of characters, as every dialect of JSON Schema can read it. */
export const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
/** No control characters, and no space at either end. */
const PLAIN_TEXT = `^[^\\s${CONTROLS}]([^${CONTROLS}]*[^\\s${CONTROLS}])?$`;
export const NO_SPACES = `^[^\\s${CONTROLS}]+$`;
const HOST_LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

export const ID = whole(1, ID_MAX);

export const STATUS = Type.Enum(['ACTIVE', 'PAUSED', 'ARCHIVED'], {
  description: 'ACTIVE, PAUSED or ARCHIVED',
});

export const REVIEW_POLICY = Type.Enum(['none', 'required'], {
  description: '"required" (a creative is shown only once it is approved) or "none"',
});

export const NAME = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: PLAIN_TEXT,
  description: 'a text of 1 to 200 characters on one line, in quotes if it looks like a number',
});

export const YES_OR_NO = Type.Boolean({ description: 'true or false' });

export const FLOOR = Type.Refine(
  Type.Number({
    minimum: 0,
    maximum: PRICE_MAX_DOLLARS,
    description: `a price in USD CPM from 0 to ${PRICE_MAX_DOLLARS}, with six decimals at most`,
  }),
  isWholeMicros,
);

/** A price that somebody pays; the least is one micro-dollar. */
export const PRICE = Type.Refine(
  Type.Number({
    minimum: dollarsFromMicros(1),
    maximum: PRICE_MAX_DOLLARS,
    description: `a price in USD CPM above 0, up to ${PRICE_MAX_DOLLARS}, with six decimals at most`,
  }),
  isWholeMicros,
);

export const SPEND = Type.Refine(
  Type.Number({
    minimum: dollarsFromMicros(1),
    maximum: SPEND_MAX_DOLLARS,
    description: `an amount in USD above 0, up to ${SPEND_MAX_DOLLARS}, with six decimals at most`,
  }),
  isWholeMicros,
);

/** A part of the whole that basis points can hold. */
export const SHARE = Type.Refine(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'a share from 0 to 1 in steps of 0.0001, such as 0.8',
  }),
  isWholeBasisPoints,
);

/** A resource's addresses are called by the exchange, so that credentials in them would be sent. */
export const WEB_ADDRESS = Type.Refine(
  Type.String({
    maxLength: URL_LENGTH_MAX,
    pattern: NO_SPACES,
    description: 'an http or https address, without user, password or #fragment',
  }),
  isWebAddress,
);

/** What a page loads, which itself comes over HTTPS. */
export const SECURE_ADDRESS = Type.Refine(
  Type.String({
    maxLength: URL_LENGTH_MAX,
    pattern: `^https://[^\\s${CONTROLS}]+$`,
    description: 'an https address, without user, password or #fragment',
  }),
  isWebAddress,
);

/** As a web address; macros may stand in its path and its query, where they change nobody's host. */
export const SYNC_ADDRESS = Type.Refine(
  Type.String({
    maxLength: URL_LENGTH_MAX,
    pattern: NO_SPACES,
    description:
      'an http or https address, without user, password or #fragment, and with macros such as ${REDIRECT} in its path or query alone',
  }),
  isSyncAddress,
);

export const DOMAIN = Type.String({
  maxLength: 253,
  pattern: `^${HOST_LABEL}(\\.${HOST_LABEL})*$`,
  description: 'a domain such as advertiser.example, without http:// or path (xn--… if not ASCII)',
});

/** Bidders know no other, so that one that is not in the taxonomy is a slip. */
export const CATEGORY = Type.Refine(
  Type.String({
    maxLength: 16,
    description: 'a category of the content taxonomy 1.0, such as IAB25 or IAB7-39',
  }),
  (text) => typeof text === 'string' && CONTENT_CATEGORIES.has(text),
);

export const LANGUAGE = Type.Refine(
  Type.String({ maxLength: 2, description: 'an ISO 639-1 language code such as en' }),
  (text) => typeof text === 'string' && ALPHA_2_LANGUAGES.has(text),
);

export const COUNTRY_CODE = Type.Refine(
  Type.String({ maxLength: 2, description: COUNTRY }),
  isCountry,
);

export const AD_FORMAT = Type.Enum(['banner', 'video', 'native'], {
  description: 'banner, video or native',
});

export const CONTENT_TYPE = Type.String({
  maxLength: 64,
  pattern: '^[a-z]+/[a-z0-9][a-z0-9.+-]*$',
  description: 'a content type such as image/png or video/mp4',
});

export const APP = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: NO_SPACES,
  description: 'an Android package name or a numeric iOS id, in quotes if it is a number',
});

export const SEAT = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: NO_SPACES,
  description: 'a seat id of 1 to 128 characters without spaces, in quotes if it is a number',
});

/** An id in a chain of sellers, whose marks must not stand in it. */
export const SELLER_ID = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9._-]+$',
  description: 'an id of 1 to 64 letters, digits and . _ -, in quotes if it is a number',
});

export const EMAIL = Type.String({
  maxLength: 254,
  pattern: `^[^\\s@${CONTROLS}]{1,64}@[^\\s@${CONTROLS}]+$`,
  description: 'an e-mail address',
});

/** What is done with the ad requests of known spiders and data centers. */
export const TRAFFIC_TREATMENT = Type.Enum(['ignore', 'mark', 'refuse'], {
  description: 'ignore, mark or refuse',
});

export const SIZE = Type.String({
  pattern: '^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$',
  description: 'a size in pixels such as 320x50',
});

/** A whole number from `minimum` to `maximum`. */
export function whole(minimum: number, maximum: number, note = '') {
  const description = `a whole number from ${minimum} to ${maximum}${note}`;
  return Type.Integer({ minimum, maximum, description });
}

/** Vendor ids have 16 bits in a consent string (IAB TCF v2, "Vendor Consent Section"). */
export const GVL_ID = whole(1, 65_535);

/** A value or none: none takes back what was set. */
export function nullable<Value extends TSchema>(value: Value) {
  return Type.Union([value, Type.Null()]);
}

/** A list of what the item's description says. */
export function list<Item extends TSchema>(item: Item, meaning: string, maxItems = LIST_MAX) {
  return Type.Array(item, { maxItems, description: `a list of at most ${maxItems} ${meaning}` });
}

/** A list with at least one item. */
export function listOfSome<Item extends TSchema>(item: Item, meaning: string, maxItems = LIST_MAX) {
  const description = `a list of 1 to ${maxItems} ${meaning}`;
  return Type.Array(item, { minItems: 1, maxItems, description });
}

/** A mapping of the given keys and no others; `title` is what people call it. */
export function mapping<Properties extends TProperties>(title: string, properties: Properties) {
  const description = `a mapping of the keys of ${title}`;
  return Type.Object(properties, { additionalProperties: false, title, description });
}

/** A macro in the host is no address: `$`, `{` and `}` do not stand in host names. */
function isSyncAddress(text: unknown): boolean {
  return isWebAddress(text) && /^https?:\/\/[^/?${}]+(?:[/?]|$)/i.test(String(text));
}

function isWholeMicros(dollars: number): boolean {
  return dollarsFromMicros(microsFromDollars(dollars)) === dollars;
}

function isWholeBasisPoints(share: unknown): boolean {
  if (typeof share !== 'number') return false;
  const points = share * BASIS_POINTS;
  // 0.07 * 10,000 is 700.0000000000001: the tolerance is for binary fractions alone.
  return Math.abs(points - Math.round(points)) < 1e-6;
}

function isWebAddress(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  const web = protocol === 'http:' || protocol === 'https:';
  return web && username === '' && password === '' && hash === '';
}
