/** Fields that OpenRTB 2.6 adds to several objects alike, and what earlier versions say instead. */
import { advisory, array, code, listed, optional, text, texts, type Mark } from './fields.ts';
import { requested, unsent } from './filling.ts';
import { ALPHA_2_LANGUAGES } from './iso-codes.ts';
import { CATEGORY_TAXONOMIES, CategoryTaxonomy } from './later-lists.ts';
import { before, inVersion, since } from './variations.ts';
import type { Surroundings } from './schema-node.ts';

/** Keywords as a list; a text in earlier versions. */
export function keywordArray(filling: Mark = requested()) {
  return optional(
    texts('Keywords; only one of keywords and kwarray is there.'),
    advisory,
    before('2.6', { at: 'keywords', write: joined, isLossy: true }),
    filling,
  );
}

function joined(keywords: unknown, { standing }: Surroundings): unknown {
  if (standing !== undefined) return standing;
  return Array.isArray(keywords) ? keywords.join(',') : undefined;
}

const BCP_47 = {
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,6}$',
  'x-allowed': 'a BCP 47 language tag, such as "zh-Hant"',
};

/** A language by its BCP 47 tag; the language alone in earlier versions. */
export function languageTag(filling: Mark = requested()) {
  return optional(
    code('BCP 47 tag; only one of language and langb is there.', BCP_47),
    advisory,
    before('2.6', { at: 'language', write: languageOf, isLossy: true }),
    filling,
  );
}

/** Allowed languages by their tags. */
export function languageTags(filling: Mark) {
  return optional(
    array(
      code('A BCP 47 tag.', BCP_47),
      'Allowed creative languages; only one of wlang and wlangb is there.',
    ),
    advisory,
    inVersion('2.5', { at: 'wlang', write: languagesOf, isLossy: true }),
    inVersion('2.2', { at: null }),
    filling,
  );
}

function languageOf(tag: unknown, { standing }: Surroundings): unknown {
  return standing ?? primaryLanguage(tag);
}

function languagesOf(tags: unknown, { standing }: Surroundings): unknown {
  if (standing !== undefined || !Array.isArray(tags)) return standing;
  const languages = primaryLanguages(tags);
  return languages.length === 0 ? undefined : languages;
}

/** ISO 639-1 codes of BCP 47 tags, each once; of languages that have none, nothing. */
export function primaryLanguages(tags: readonly unknown[]): string[] {
  return [...new Set(tags.map(primaryLanguage).filter((each) => each !== undefined))];
}

/** ISO 639-1 code of a BCP 47 tag: `zh` of `zh-Hant`; undefined for a language that has none. */
function primaryLanguage(tag: unknown): string | undefined {
  const language = typeof tag === 'string' ? tag.split('-', 1)[0]?.toLowerCase() : undefined;
  return language !== undefined && ALPHA_2_LANGUAGES.has(language) ? language : undefined;
}

/**
 * The taxonomy that categories of the object are from. Earlier versions know one, so that codes of
 * another mean nothing there.
 *
 * @param categories the fields that have them
 */
export function categoryTaxonomy(categories: readonly string[], filling: Mark = unsent()) {
  return optional(
    listed(CATEGORY_TAXONOMIES, CATEGORY_TAXONOMIES.title, {
      default: CategoryTaxonomy.Content1,
      // Bidders get codes of that one alone (`categories`).
      'x-outgoing': { enum: [CategoryTaxonomy.Content1] },
    }),
    advisory,
    before('2.6', { at: null, takes: categories }),
    filling,
  );
}

/** Who owns the content where that is not who owns the site or app. */
export function inventoryPartner() {
  return optional(
    text('Domain that authorises the inventory.'),
    advisory,
    since('2.6'),
    requested(),
  );
}
