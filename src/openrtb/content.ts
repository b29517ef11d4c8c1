import Type from 'typebox';
import { CONTENT_CONTEXTS, MEDIA_RATINGS, PRODUCTION_QUALITIES } from './content-lists.ts';
import { DataSchema } from './data.ts';
import { listedValues } from './enumerated-list.ts';
import {
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
} from './fields.ts';
import { CODE_LENGTH_MAX } from './limits.ts';
import { filled, requested, unsent } from './filling.ts';

/** Producer, section 2.16. */
export const ProducerSchema = filled(
  object('Producer of the content.', {
    id: optional(text('Id of the producer.')),
    name: optional(text('Name of the producer.')),
    cat: optional(categories('Content categories.')),
    domain: optional(text('Domain of the producer.')),
    ext: ext(),
  }),
  {
    id: requested(),
    name: requested(),
    cat: requested(),
    domain: requested(),
    ext: unsent(),
  },
);

/** Content, section 2.16. */
export const ContentSchema = filled(
  object('The content that the impression appears in.', {
    id: optional(text('Id of the content.')),
    episode: optional(count('Episode number.')),
    title: optional(text('Title.')),
    series: optional(text('Series.')),
    season: optional(text('Season.')),
    artist: optional(text('Artist.')),
    genre: optional(text('Genre.')),
    album: optional(text('Album.')),
    isrc: optional(text('International Standard Recording Code.')),
    producer: optional(ProducerSchema),
    url: optional(longText('URL of the content.')),
    cat: optional(categories('Content categories.')),
    prodq: optional(listed(PRODUCTION_QUALITIES)),
    videoquality: optional(listed(PRODUCTION_QUALITIES, 'Video quality.')),
    // A text in the spec; OpenRTB itself has an integer there and publishers send both.
    context: optional(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        description: 'Kind of content, a value of list 5.18 as a text.',
        maxLength: CODE_LENGTH_MAX,
        'x-list': CONTENT_CONTEXTS.section,
        'x-outgoing': { type: 'string', enum: listedValues(CONTENT_CONTEXTS).map(String) },
      }),
    ),
    contentrating: optional(text('Content rating.')),
    userrating: optional(text('User rating.')),
    qagmediarating: optional(listed(MEDIA_RATINGS)),
    keywords: optional(longText('Keywords, comma-separated.')),
    livestream: optional(advisoryFlag('1 = live.')),
    sourcerelationship: optional(advisoryFlag('1 = direct, 0 = indirect.')),
    len: optional(count('Length in seconds.')),
    language: optional(code('ISO 639-1 code.', ALPHA_2_LANGUAGE)),
    embeddable: optional(advisoryFlag('1 = embeddable.')),
    data: optional(array(DataSchema, 'Data about the content.')),
    ext: ext(),
  }),
  {
    id: requested(),
    episode: requested(),
    title: requested(),
    series: requested(),
    season: requested(),
    artist: requested(),
    genre: requested(),
    album: requested(),
    isrc: requested(),
    producer: requested(),
    url: requested(),
    cat: requested(),
    prodq: requested(),
    videoquality: requested(),
    contentrating: requested(),
    userrating: requested(),
    qagmediarating: requested(),
    keywords: requested(),
    livestream: requested(),
    sourcerelationship: requested(),
    len: requested(),
    language: requested(),
    embeddable: requested(),
    data: requested(),
    context: requested('As the request says; a number becomes a text.'),
    ext: unsent(),
  },
);
