import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  FORMAT_BITS,
  placement,
  request,
  sparseTargeting,
  status,
  targeting,
} from '../../test/support/targeting-arbitrary.ts';
import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import type { Targeting } from '../resources/targeting.ts';
import { aPartner, aSnapshot } from './eligibility-fixtures.ts';
import { createEligibility, type PartnerMatch } from './eligibility.ts';
import { aLineItem } from './fixtures.ts';
import { compileTargeting } from './targeting.ts';
import type { ImpTraits } from './targeting-traits.ts';
import { runs } from '../../test/support/effort.ts';

/**
 * The index against a scan of all line items, with a matcher that shares nothing with it. The
 * alphabets are small, so that lists and traits meet often.
 */

/** Places that differ in one trait only, each with the same requests: what memory may mix up. */
const questions: fc.Arbitrary<ImpTraits[]> = fc
  .tuple(placement, placement, fc.array(request, { minLength: 3, maxLength: 8 }))
  .map(([one, other, requests]) => {
    const variants = Object.entries(other).map(([key, value]) => ({ ...one, [key]: value }));
    return [one, ...variants].flatMap((place) => requests.map((asked) => ({ ...place, ...asked })));
  });

const partners: fc.Arbitrary<DemandPartner[]> = fc
  .array(fc.record({ status, hasBidder: fc.constantFrom(true, true, true, false) }), {
    minLength: 6,
    maxLength: 6,
  })
  .map((all) =>
    all.map(({ hasBidder, ...differs }, index) =>
      aPartner(6 - index, { ...differs, ...(hasBidder ? {} : { bidder: null }) }),
    ),
  );

const lineItems: fc.Arbitrary<LineItem[]> = fc
  .array(
    fc.record({
      demandPartnerId: fc.integer({ min: 1, max: 6 }),
      status,
      targeting: fc.oneof({ weight: 4, arbitrary: sparseTargeting }, targeting),
    }),
    { minLength: 40, maxLength: 200 },
  )
  .map((all) =>
    all.map((differs, index) => aLineItem({ ...differs, id: 1 + ((index * 7) % 211) })),
  );

test('the index agrees with a scan over all line items', async () => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(partners, lineItems, questions, async (somePartners, someItems, asked) => {
      const eligibility = await createEligibility(aSnapshot(...somePartners, ...someItems));
      // Twice, so that remembered answers are compared as well.
      for (const question of [...asked, ...asked]) {
        const expected = scan(somePartners, someItems, question);
        assert.deepEqual(shorten(eligibility.match(question)), expected);
        answers += expected.length;
      }
    }),
    { numRuns: runs(6) },
  );
  assert.ok(answers > runs(50), `only ${answers} partners ever matched: the test shows little`);
});

test('the matcher for a single targeting agrees with the same scan', () => {
  fc.assert(
    fc.property(
      fc.oneof(sparseTargeting, targeting),
      placement,
      request,
      (wanted, place, asked) => {
        const question = { ...place, ...asked };
        const matcher = compileTargeting(wanted);
        for (const format of Object.values(FORMAT_BITS)) {
          assert.equal(matcher.matches(question, format), wants(wanted, question, format));
        }
      },
    ),
    { numRuns: runs(200) },
  );
});

type Short = [partnerId: number, lineItems: [id: number, formats: number, location: boolean][]][];

function shorten(matches: readonly PartnerMatch[]): Short {
  return matches.map(({ partner, lineItems: matched }) => [
    partner.id,
    matched.map((match) => [match.lineItem.id, match.formats, match.requiresLocation]),
  ]);
}

function scan(
  allPartners: readonly DemandPartner[],
  allItems: readonly LineItem[],
  question: ImpTraits,
): Short {
  const found: Short = [];
  for (const partner of allPartners.toSorted((a, b) => a.id - b.id)) {
    if (partner.bidder === null || partner.status !== 'ACTIVE') continue;
    const matched: Short[number][1] = [];
    for (const lineItem of allItems.toSorted((a, b) => a.id - b.id)) {
      if (lineItem.demandPartnerId !== partner.id || lineItem.status !== 'ACTIVE') continue;
      let formats = 0;
      for (const bit of [1, 2, 4]) {
        if ((question.formats & bit) > 0 && wants(lineItem.targeting, question, bit))
          formats += bit;
      }
      const location = lineItem.targeting.geo?.is_geo_data_required ?? false;
      if (formats > 0) matched.push([lineItem.id, formats, location]);
    }
    if (matched.length > 0) found.push([partner.id, matched]);
  }
  return found;
}

/** What the documentation says of each key, one sentence a line. */
function wants(wanted: Targeting, question: ImpTraits, format: number): boolean {
  const allows = (codes: Targeting['os'], names: (code: string) => boolean): boolean => {
    if (codes === undefined) return true;
    const named = codes.identifiers.some(({ code }) => names(code));
    return codes.is_whitelist ? named : !named;
  };
  const bare = (domain: string) => domain.toLowerCase().replace(/^www\./, '');
  const { domain, bannerSizes, videoSize } = question;
  const sizes = { 1: bannerSizes, 2: videoSize === null ? [] : [videoSize], 4: [] }[format] ?? [];
  return [
    allows(wanted.geo?.countries, (code) => code === question.country),
    wanted.geo?.is_geo_data_required !== true || question.hasLocation,
    allows(wanted.ad_formats, (code) => code === ['', 'banner', 'video', '', 'native'][format]),
    allows(wanted.platforms, (code) => code === question.platform),
    allows(wanted.os, (code) => code.toUpperCase() === question.os?.toUpperCase()),
    allows(wanted.sizes, (code) => sizes.some(({ w, h }) => code === [w, h].join('x'))),
    allows(wanted.app_bundles, (code) => code === question.bundle),
    allows(
      wanted.app_site_domains,
      (code) => domain !== null && `.${bare(domain)}`.endsWith(`.${bare(code)}`),
    ),
    allows(wanted.publishers, (code) => Number(code) === question.publisherId),
    allows(wanted.ad_spaces, (code) => Number(code) === question.adSpaceId),
    allows(wanted.categories, (code) =>
      question.categories.some((actual) => `${actual}-`.startsWith(`${code}-`)),
    ),
    allows(wanted.languages, (code) => question.language?.toLowerCase().slice(0, 2) === code),
    allows(wanted.connection_types, (code) => Number(code) === (question.connectiontype ?? 0)),
    wanted.interstitial === undefined || wanted.interstitial === question.interstitial,
    wanted.rewarded === undefined || wanted.rewarded === question.rewarded,
    wanted.secure === undefined || wanted.secure === question.secure,
  ].every(Boolean);
}
