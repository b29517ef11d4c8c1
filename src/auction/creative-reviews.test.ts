import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Bid } from '../openrtb/bid-response.ts';
import type { CreativeReview } from '../snapshot/entities.ts';
import { creativeIdOf } from './creative-id.ts';
import { checkReviews, createCreativeReviews, type CreativeRules } from './creative-reviews.ts';
import { aBid, aCandidate, anImp, anOffer } from './fixtures.ts';
import { takeLateMarkup } from './late-markup.ts';
import { validateBid } from './validate-bid.ts';
import { runs } from '../../test/support/effort.ts';

const ACME = 1001;
const PUBLISHER = 2001;
const OTHER_PUBLISHER = 2002;

function aReview(differs: Partial<CreativeReview> = {}): CreativeReview {
  return {
    kind: 'creativeReview',
    id: 1,
    publisherId: null,
    demandPartnerId: ACME,
    target: 'crid',
    value: 'c-1',
    verdict: 'blocked',
    reason: '',
    ...differs,
  };
}

interface Setting {
  readonly reviews?: readonly CreativeReview[];
  readonly operatorRequires?: boolean;
  readonly publisherRequires?: boolean;
}

async function rulesOf(setting: Setting, publisherId = PUBLISHER): Promise<CreativeRules | null> {
  const creativeReview = setting.publisherRequires === true ? 'required' : 'none';
  const sources = {
    operatorRequires: setting.operatorRequires ?? false,
    publishers: [
      { id: PUBLISHER, creativeReview } as const,
      { id: OTHER_PUBLISHER, creativeReview: 'none' } as const,
    ],
    reviews: setting.reviews ?? [],
    partnerName: (id: number) => (id === ACME ? 'Acme' : `Partner ${id}`),
  };
  return (await createCreativeReviews(sources, () => Promise.resolve())).rulesFor(publisherId);
}

async function verdict(
  setting: Setting,
  bid: Partial<Bid>,
  { partner = ACME, publisher = PUBLISHER }: { partner?: number; publisher?: number } = {},
): Promise<string> {
  const whole = aBid(bid);
  const rules = await rulesOf(setting, publisher);
  const objection = checkReviews(whole, whole.adm ?? null, partner, rules);
  return objection === null ? 'shown' : `${objection.reason} ${objection.detail}`;
}

describe('a blocked creative', () => {
  const reviews = [aReview({ reason: 'shows a fake system dialog' })];

  test('is refused with 202, who blocked it, and why', async () => {
    assert.equal(
      await verdict({ reviews }, { crid: 'c-1' }),
      '202 crid c-1 of Acme is blocked by the operator: shows a fake system dialog',
    );
  });

  test('is the partner\u2019s own: the same id of another partner is another creative', async () => {
    assert.equal(await verdict({ reviews }, { crid: 'c-1' }, { partner: 1002 }), 'shown');
    assert.equal(await verdict({ reviews }, { crid: 'c-2' }), 'shown');
    assert.equal(await verdict({ reviews }, {}), 'shown');
  });

  test('of one publisher is shown at others', async () => {
    const own = [aReview({ publisherId: PUBLISHER })];
    assert.equal(
      await verdict({ reviews: own }, { crid: 'c-1' }),
      '202 crid c-1 of Acme is blocked by the publisher',
    );
    const elsewhere = { publisher: OTHER_PUBLISHER };
    assert.equal(await verdict({ reviews: own }, { crid: 'c-1' }, elsewhere), 'shown');
  });

  test('without a crid is found by its ad id, or by its markup', async () => {
    assert.match(
      await verdict({ reviews: [aReview({ value: 'adid:a-1' })] }, { adid: 'a-1' }),
      /^202 /,
    );
    const byMarkup = [aReview({ value: 'adm:a70ee5a7c5e2c3e4' })];
    assert.equal(await verdict({ reviews: byMarkup }, { adm: '<p>Other</p>' }), 'shown');
  });

  test('that only its markup tells is found when that comes with the win notice', async () => {
    const adm = '<p>An ad</p>';
    const id = creativeIdOf({}, adm);
    const creativeRules = await rulesOf({ reviews: [aReview({ value: id })] });
    const { adm: _, ...bid } = aBid({ nurl: 'https://win.example/' });
    const offers = new Map([['1', anOffer({ imp: anImp({ creativeRules }) })]]);
    const submitted = { bid, demandPartnerId: ACME, seat: undefined, group: null };
    assert.equal(validateBid(submitted, offers, true).ok, true);
    const candidate = aCandidate({ bid, adm: null, imp: anImp({ creativeRules }) });
    const taken = takeLateMarkup(candidate, adm);
    assert.equal(taken.ok ? 0 : taken.objection.reason, 202);
  });
});

test('a bid that breaks another rule as well loses for that one', async () => {
  const creativeRules = await rulesOf({ reviews: [aReview()] });
  const submitted = { demandPartnerId: ACME, seat: undefined, group: null };
  const reasonOf = (bid: Partial<Bid>): number => {
    const offers = new Map([['1', anOffer({ imp: anImp({ creativeRules }) })]]);
    const result = validateBid({ ...submitted, bid: aBid(bid) }, offers, true);
    return result.ok ? 0 : result.refusal.reason;
  };
  assert.equal(reasonOf({ crid: 'c-1' }), 202);
  assert.equal(reasonOf({ crid: 'c-2' }), 0);
  assert.equal(reasonOf({ crid: 'c-1', w: 1, h: 1 }), 203);
});

describe('a blocked advertiser', () => {
  const reviews = [
    aReview({ demandPartnerId: null, target: 'domain', value: 'shop.example', reason: 'fraud' }),
  ];

  test('is refused from every partner, with each of its subdomains', async () => {
    for (const partner of [ACME, 1002]) {
      assert.match(await verdict({ reviews }, { adomain: ['Shop.Example'] }, { partner }), /^202 /);
    }
    assert.equal(
      await verdict({ reviews }, { adomain: ['good.example', 'www.de.shop.example'] }),
      '202 adomain www.de.shop.example (shop.example) of Acme is blocked by the operator: fraud',
    );
    assert.equal(await verdict({ reviews }, { adomain: ['workshop.example', 'example'] }), 'shown');
  });

  test('of one partner is shown when it comes from another', async () => {
    const own = [aReview({ target: 'domain', value: 'shop.example' })];
    assert.match(await verdict({ reviews: own }, { adomain: ['shop.example'] }), /^202 /);
    const other = { partner: 1002 };
    assert.equal(await verdict({ reviews: own }, { adomain: ['shop.example'] }, other), 'shown');
  });
});

describe('where creatives are reviewed first', () => {
  test('one that nobody has approved waits, with 201', async () => {
    assert.equal(
      await verdict({ operatorRequires: true }, { crid: 'c-1' }),
      '201 crid c-1 of Acme waits for its review by the operator',
    );
    assert.equal(
      await verdict({ publisherRequires: true }, { crid: 'c-1' }),
      '201 crid c-1 of Acme waits for its review by the publisher',
    );
    const elsewhere = { publisher: OTHER_PUBLISHER };
    assert.equal(await verdict({ publisherRequires: true }, { crid: 'c-1' }, elsewhere), 'shown');
  });

  test('one without an id could never be approved: 8', async () => {
    assert.equal(
      await verdict({ operatorRequires: true }, { adid: 'a-1' }),
      '8 crid is missing where the operator reviews creatives before they are shown',
    );
  });

  test('the operator goes by its own approvals, a publisher by the operator\u2019s as well', async () => {
    const byOperator = [aReview({ verdict: 'approved' })];
    const byPublisher = [aReview({ verdict: 'approved', publisherId: PUBLISHER })];
    const bid = { crid: 'c-1' };
    assert.equal(await verdict({ operatorRequires: true, reviews: byOperator }, bid), 'shown');
    assert.equal(await verdict({ publisherRequires: true, reviews: byOperator }, bid), 'shown');
    assert.equal(await verdict({ publisherRequires: true, reviews: byPublisher }, bid), 'shown');
    assert.match(await verdict({ operatorRequires: true, reviews: byPublisher }, bid), /^201 /);
  });

  test('an approved advertiser approves the creatives that name no other', async () => {
    const reviews = [aReview({ target: 'domain', value: 'shop.example', verdict: 'approved' })];
    const setting = { operatorRequires: true, reviews };
    assert.equal(await verdict(setting, { crid: 'c-1', adomain: ['de.shop.example'] }), 'shown');
    const two = { crid: 'c-1', adomain: ['shop.example', 'other.example'] };
    assert.match(await verdict(setting, two), /^201 /);
    assert.match(await verdict(setting, { crid: 'c-1', adomain: [] }), /^201 /);
  });

  test('nobody can approve what somebody else has blocked', async () => {
    const approval = aReview({ id: 2, verdict: 'approved' });
    const block = aReview({ publisherId: PUBLISHER, target: 'domain', value: 'shop.example' });
    const bid = { crid: 'c-1', adomain: ['shop.example'] };
    assert.match(await verdict({ reviews: [approval, block] }, bid), /^202 .* by the publisher/);
  });
});

test('without reviews there are no rules, and nothing is looked up', async () => {
  assert.equal(await rulesOf({}), null);
  assert.equal(await rulesOf({ publisherRequires: true }, OTHER_PUBLISHER), null);
  assert.equal(await verdict({}, {}), 'shown');
});

const SOME_IDS = fc.constantFrom('a', 'b', 'c', 'adid:a');
const SOME_DOMAINS = fc.constantFrom('x.example', 'y.x.example', 'z.example', 'example');
const SOME_PUBLISHERS = fc.constantFrom(null, PUBLISHER, OTHER_PUBLISHER);

const someReview: fc.Arbitrary<CreativeReview> = fc
  .record({
    publisherId: SOME_PUBLISHERS,
    demandPartnerId: fc.constantFrom(null, ACME, 1002),
    subject: fc.oneof(
      fc.record({ target: fc.constant('crid' as const), value: SOME_IDS }),
      fc.record({ target: fc.constant('domain' as const), value: SOME_DOMAINS }),
    ),
    verdict: fc.constantFrom('blocked', 'approved'),
  })
  .map(({ subject, demandPartnerId, ...review }) => ({
    ...aReview(),
    ...review,
    ...subject,
    demandPartnerId: subject.target === 'crid' ? (demandPartnerId ?? ACME) : demandPartnerId,
  }));

const someReviews = fc.uniqueArray(someReview, {
  maxLength: 12,
  selector: (review) =>
    [review.publisherId, review.demandPartnerId, review.target, review.value].join(' '),
});

const someBid = fc.record({
  crid: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  adid: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  adomain: fc.option(fc.array(SOME_DOMAINS, { maxLength: 3 }), { nil: undefined }),
});

const someCase = fc.record({
  reviews: someReviews,
  bid: someBid,
  partner: fc.constantFrom(ACME, 1002),
  publisher: fc.constantFrom(PUBLISHER, OTHER_PUBLISHER),
  operatorRequires: fc.boolean(),
  publisherRequires: fc.boolean(),
});

type Case = typeof someCase extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether a review is about this bid, told the long way. */
function concerns(review: CreativeReview, { bid, partner, publisher }: Case): boolean {
  if (review.publisherId !== null && review.publisherId !== publisher) return false;
  if (review.demandPartnerId !== null && review.demandPartnerId !== partner) return false;
  const { crid, adid, adomain = [] } = bid;
  if (review.target === 'crid') {
    return review.value === (crid ?? (adid === undefined ? null : `adid:${adid}`));
  }
  return adomain.some((each) => each === review.value || each.endsWith(`.${review.value}`));
}

function judged(one: Case): Promise<string> {
  const defined = Object.entries(one.bid).filter(([, value]) => value !== undefined);
  const bid: Partial<Bid> = Object.fromEntries(defined);
  return verdict(one, bid, { partner: one.partner, publisher: one.publisher });
}

test('a creative that anybody concerned has blocked is never shown, and no other is disapproved', async () => {
  await fc.assert(
    fc.asyncProperty(someCase, async (one) => {
      const blocked = one.reviews.some(
        (review) => review.verdict === 'blocked' && concerns(review, one),
      );
      assert.equal((await judged(one)).startsWith('202 '), blocked);
    }),
    { numRuns: runs(200) },
  );
});

test('a decision about one creative changes nothing for those that it does not concern', async () => {
  await fc.assert(
    fc.asyncProperty(someCase, someReview, async (one, more) => {
      const same = one.reviews.filter((review) => review.value !== more.value);
      const before = { ...one, reviews: same };
      const after = { ...one, reviews: [...same, more] };
      fc.pre(!concerns(more, one));
      assert.equal(await judged(after), await judged(before));
    }),
    { numRuns: runs(200) },
  );
});

test('where review is required, only what is approved is shown', async () => {
  await fc.assert(
    fc.asyncProperty(someCase, async (one) => {
      const required = { ...one, operatorRequires: true };
      const approvals = one.reviews.filter(
        (review) => review.verdict === 'approved' && review.publisherId === null,
      );
      if ((await judged(required)) !== 'shown') return;
      assert.ok(approvals.some((review) => concerns(review, one)));
    }),
    { numRuns: runs(200) },
  );
});
