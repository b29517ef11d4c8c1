import Type, { type Static } from 'typebox';
import { CONTENT_CONTEXTS, MEDIA_RATINGS, PRODUCTION_QUALITIES } from './content-lists.ts';
import { DataSchema } from './data.ts';
import { listedValues } from './enumerated-list.ts';
import {
  advisory,
  ALPHA_2_LANGUAGE,
  advisoryFlag,
  array,
  code,
  count,
  ext,
  listed,
  longText,
  object,
  optional,
  text,
  categories,
  texts,
} from './fields.ts';
import { CODE_LENGTH_MAX, INTEGER_MAX } from './limits.ts';
import { requested } from './filling.ts';
import { since, until, before, inVersion } from './variations.ts';
import { CategoryTaxonomy, CATEGORY_TAXONOMIES } from './later-lists.ts';
import { keywordArray, languageTag, categoryTaxonomy } from './later-fields.ts';

/** Producer, section 2.16. */
export const ProducerSchema = object('Producer of the content.', {
  id: optional(text('Id of the producer.'), advisory, requested()),
  name: optional(text('Name of the producer.'), advisory, requested()),
  cattax: categoryTaxonomy(
    ['cat'],
    requested('1 where the request says so; left out otherwise, which means the same.'),
  ),
  cat: optional(categories('Content categories.'), advisory, requested()),
  domain: optional(text('Domain of the producer.'), advisory, requested()),
  ext: ext(),
});
export type Producer = Static<typeof ProducerSchema>;

const carrier = {
  id: optional(text('Id that the publisher gave.'), advisory, requested()),
  name: optional(text('Its name.'), advisory, requested()),
  domain: optional(text('Its domain.'), advisory, requested()),
  ext: ext(),
};

/** Network, OpenRTB 2.6 section 3.2.23. */
export const NetworkSchema = object('The network that the content is on.', carrier);

/** Channel, OpenRTB 2.6 section 3.2.24. */
export const ChannelSchema = object('The channel that the content is on.', carrier);

/** 2.6 has a number where the spec has a text. */
function contextNumber(context: unknown): number | undefined {
  return listedValues(CONTENT_CONTEXTS).find((value) => String(value) === String(context));
}

/** Content, section 2.16. */
export const ContentSchema = object('The content that the impression appears in.', {
  id: optional(text('Id of the content.'), advisory, requested()),
  episode: optional(count('Episode number.'), advisory, requested()),
  title: optional(text('Title.'), advisory, requested()),
  series: optional(text('Series.'), advisory, requested()),
  season: optional(text('Season.'), advisory, requested()),
  artist: optional(text('Artist.'), advisory, requested()),
  genre: optional(text('Genre.'), advisory, requested()),
  gtax: optional(
    listed(CATEGORY_TAXONOMIES, 'Taxonomy of the genres.', { default: CategoryTaxonomy.Content31 }),
    advisory,
    since('2.6'),
    requested(),
  ),
  genres: optional(texts('Genres by their ids.'), advisory, since('2.6'), requested()),
  album: optional(text('Album.'), advisory, requested()),
  isrc: optional(text('International Standard Recording Code.'), advisory, requested()),
  producer: optional(ProducerSchema, advisory, requested()),
  url: optional(longText('URL of the content.'), advisory, requested()),
  cattax: categoryTaxonomy(
    ['cat'],
    requested('1 where the request says so; left out otherwise, which means the same.'),
  ),
  cat: optional(categories('Content categories.'), advisory, requested()),
  prodq: optional(listed(PRODUCTION_QUALITIES), advisory, requested()),
  videoquality: optional(
    listed(PRODUCTION_QUALITIES, 'Video quality.'),
    advisory,
    until('2.5'),
    requested(),
  ),
  // A text in the spec; OpenRTB itself has an integer there and publishers send both.
  context: optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description: 'Kind of content.',
      maxLength: CODE_LENGTH_MAX,
      'x-list': CONTENT_CONTEXTS.section,
      'x-also-text': true,
      'x-outgoing': { type: 'integer', enum: listedValues(CONTENT_CONTEXTS) },
    }),
    advisory,
    inVersion('2.6', { type: 'integer', minimum: 0, maximum: INTEGER_MAX, write: contextNumber }),
    before('2.6', {
      type: 'string',
      description: 'Kind of content, a value of list 5.18 as a text.',
      'x-outgoing': { enum: listedValues(CONTENT_CONTEXTS).map(String) },
      write: String,
    }),
    requested('As the request says; a text in 2.2 and 2.5, a number in 2.6.'),
  ),
  contentrating: optional(text('Content rating.'), advisory, requested()),
  userrating: optional(text('User rating.'), advisory, requested()),
  qagmediarating: optional(listed(MEDIA_RATINGS), advisory, requested()),
  keywords: optional(longText('Keywords, comma-separated.'), advisory, requested()),
  kwarray: keywordArray(),
  livestream: optional(advisoryFlag('1 = live.'), advisory, requested()),
  sourcerelationship: optional(advisoryFlag('1 = direct, 0 = indirect.'), advisory, requested()),
  len: optional(count('Length in seconds.'), advisory, requested()),
  language: optional(code('ISO 639-1 code.', ALPHA_2_LANGUAGE), advisory, requested()),
  langb: languageTag(),
  embeddable: optional(advisoryFlag('1 = embeddable.'), advisory, requested()),
  data: optional(array(DataSchema, 'Data about the content.'), advisory, requested()),
  network: optional(NetworkSchema, advisory, since('2.6'), requested()),
  channel: optional(ChannelSchema, advisory, since('2.6'), requested()),
  realtime: optional(
    advisoryFlag('1 = it happens while it is shown.'),
    advisory,
    since('2.6'),
    requested(),
  ),
  firstbroadcast: optional(
    advisoryFlag('1 = shown for the first time.'),
    advisory,
    since('2.6'),
    requested(),
  ),
  ext: ext(),
});
export type Content = Static<typeof ContentSchema>;
