import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProblem } from './finding.ts';
import {
  applyQuickly,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';

/** Edits of the example, and all that is then wrong with it. */
const EDITS: readonly {
  readonly rule: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  readonly problems: readonly string[];
  /** Not to be made together with the others: it takes their text, moves lines or hides them. */
  readonly alone?: true;
}[] = [
  {
    rule: 'a negative floor is refused',
    edits: [['floor: 0.05', 'floor: -0.05']],
    problems: [
      'line 31: demand_partners[0].line_items[0].floor must be a price in USD CPM from 0 to 10000, with six decimals at most, found -0.05',
    ],
  },
  {
    rule: 'a floor that is no number is refused',
    alone: true,
    edits: [['floor: 0.05', 'floor: .nan']],
    problems: [
      'line 31: demand_partners[0].line_items[0].floor must be a price in USD CPM from 0 to 10000, with six decimals at most, found NaN',
    ],
  },
  {
    rule: 'a price with more decimals than a micro-dollar has is refused, not rounded',
    alone: true,
    edits: [['floor: 0.05', 'floor: 0.1234567']],
    problems: [
      'line 31: demand_partners[0].line_items[0].floor must be a price in USD CPM from 0 to 10000, with six decimals at most, found 0.1234567',
    ],
  },
  {
    rule: 'a price above the highest is refused',
    alone: true,
    edits: [['price: 3.00', 'price: 1e5']],
    problems: [
      'line 88: deals[0].price must be a price in USD CPM above 0, up to 10000, with six decimals at most, found 100000',
    ],
  },
  {
    rule: 'an unknown key is refused with what was meant',
    edits: [['price_basis: net', 'price_bases: net']],
    problems: [
      'line 62: publishers[0].price_bases is not a key of a publisher; did you mean "price_basis"?',
    ],
  },
  {
    rule: 'an unknown key of targeting is refused',
    alone: true,
    edits: [['ad_formats: {', 'adformats: {']],
    problems: [
      'line 54: demand_partners[1].line_items[0].targeting.adformats is not a key of targeting; did you mean "ad_formats"?',
    ],
  },
  {
    rule: 'an unknown key at the top is refused with all that there are',
    alone: true,
    edits: [['operators:', 'admins:']],
    problems: [
      'line 7: admins is not a key of a configuration file; the keys are exchange, operators, demand_partners, publishers, deals',
    ],
  },
  {
    rule: 'a targeted format that does not exist is refused',
    edits: [['code: banner', 'code: baner']],
    problems: [
      'line 54: demand_partners[1].line_items[0].targeting.ad_formats.identifiers[0].code must be banner, video or native, found "baner"',
    ],
  },
  {
    rule: 'a country that does not exist is refused',
    edits: [['code: US', 'code: UK']],
    problems: [
      `line 53: demand_partners[1].line_items[0].targeting.geo.countries.identifiers[0].code must be an ISO 3166-1 alpha-2 country code such as US (the United Kingdom is GB, Greece is GR), found "UK"`,
    ],
  },
  {
    rule: 'an id that stands twice is refused',
    edits: [['id: 4002', 'id: 4001']],
    problems: [
      'line 76: publishers[0].apps[0].ad_spaces[1].id repeats the ad space id 4001 of publishers[0].apps[0].ad_spaces[0].id',
    ],
  },
  {
    rule: 'an app and a site cannot share their id',
    edits: [['id: 3002', 'id: 3001']],
    problems: [
      'line 79: publishers[0].sites[0].id repeats the app or site id 3001 of publishers[0].apps[0].id',
    ],
  },
  {
    rule: 'an e-mail address that stands twice is refused, whatever its case',
    edits: [['engineer@bolt.example', 'Engineer@ACME.example']],
    problems: [
      'line 37: demand_partners[1].users[0].email repeats the e-mail address "engineer@acme.example" of demand_partners[0].users[0].email',
    ],
  },
  {
    rule: 'a client id that stands twice is refused',
    edits: [['client_id: bolt-client', 'client_id: ops']],
    problems: [
      'line 40: demand_partners[1].users[0].applications[0].client_id repeats the client id "ops" of operators[0].applications[0].client_id',
    ],
  },
  {
    rule: 'a token that stands twice is refused without showing it',
    alone: true,
    edits: [['planet-report-token', 'acme-report-token']],
    problems: [
      'line 60: publishers[0].account_auth_token repeats the token of demand_partners[0].account_auth_token',
    ],
  },
  {
    rule: 'a seat of two demand partners is refused',
    edits: [['seat: bolt-1', 'seat: acme-1']],
    problems: [
      'line 49: demand_partners[1].line_items[0].seat must belong to one demand partner, found "acme-1", which line item 501 of demand partner 1001 has',
    ],
  },
  {
    rule: 'a deal names ad spaces and seats that exist',
    edits: [
      ['ad_spaces: [4004]', 'ad_spaces: [4004, 4999]'],
      ['seats: [acme-1]', 'seats: [acme-1, other-1]'],
    ],
    problems: [
      'line 88: deals[0].ad_spaces[1] is 4999, an ad space that does not exist',
      'line 88: deals[0].seats[1] is "other-1", a seat that no line item has',
    ],
  },
  {
    rule: 'an ad space that is not sound is not called missing as well',
    alone: true,
    edits: [['id: 4004, name: Front page box', 'id: 4004, name: 7']],
    problems: [
      'line 84: publishers[0].sites[0].ad_spaces[0].name must be a text of 1 to 200 characters on one line, in quotes if it looks like a number, found 7',
    ],
  },
  {
    rule: 'a fixed price is a price',
    edits: [['price: 3.00', 'floor: 3.00']],
    problems: ['line 88: deals[0].floor does not go with a fixed_price deal, which has a price'],
  },
  {
    rule: 'what a new publisher gets is never guessed',
    alone: true,
    edits: [['    revenue_share: 0.8\n', '']],
    problems: ['line 57: publishers[0] is new, so that it needs revenue_share'],
  },
  {
    rule: 'a deal without its amount is refused',
    alone: true,
    edits: [['type: fixed_price, price: 3.00', 'type: first_price']],
    problems: ['line 88: deals[0] needs floor, since it is a first_price deal'],
  },
  {
    rule: 'an address range that is none is refused',
    edits: [['127.0.0.0/8', '127.0.0.1']],
    problems: [
      'line 5: exchange.allow_private_addresses[0] must be a CIDR range such as 10.0.0.0/8 or fd00::/8, found "127.0.0.1"',
    ],
  },
  {
    rule: 'an endpoint is http or https and carries no credentials',
    edits: [
      ['http://127.0.0.1:9101/bid', 'ftp://127.0.0.1/bid'],
      ['http://127.0.0.1:9102/bid', 'http://user:hunter2@127.0.0.1/bid'],
    ],
    problems: [
      'line 24: demand_partners[0].bidder.endpoint must be an http or https address, without user, password or #fragment, found "ftp://127.0.0.1/bid"',
      'line 42: demand_partners[1].bidder.endpoint must be an http or https address, without user, password or #fragment, found "http://…@127.0.0.1/bid"',
    ],
  },
  {
    rule: 'macros in the host of a matching address are refused',
    edits: [['max_qps: 5000', 'sync_url: "https://{{gdpr}}.example/"']],
    problems: [
      'line 27: demand_partners[0].bidder.sync_url must be an http or https address, without user, password or #fragment, and with macros such as ${REDIRECT} in its path or query alone, found "https://{{gdpr}}.example/"',
    ],
  },
  {
    rule: 'a version without its quotes is refused',
    edits: [['openrtb_version: "2.5"', 'openrtb_version: 2.5']],
    problems: [
      'line 25: demand_partners[0].bidder.openrtb_version must be "2.6", "2.5" or "2.2", in quotes, found 2.5',
    ],
  },
  {
    rule: 'a share outside of 0 to 1, or finer than basis points, is refused',
    edits: [['revenue_share: 0.8', 'revenue_share: 0.80001']],
    problems: [
      'line 61: publishers[0].revenue_share must be a share from 0 to 1 in steps of 0.0001, such as 0.8, found 0.80001',
    ],
  },
  {
    rule: 'an iOS app is named by its number',
    edits: [['platform: Android', 'platform: iOS']],
    problems: [
      'line 70: publishers[0].apps[0].bundle must be the numeric App Store id of an iOS app, in quotes, found "com.planet.reader"',
    ],
  },
  {
    rule: 'an Android app is named by its package',
    alone: true,
    edits: [['bundle: com.planet.reader', 'bundle: "1234567"']],
    problems: [
      'line 70: publishers[0].apps[0].bundle must be the package name of an Android app, such as com.example.reader, found "1234567"',
    ],
  },
  {
    rule: 'an ad space has a format',
    alone: true,
    edits: [['banner: { sizes: [320x50] }, ', '']],
    problems: [
      'line 75: publishers[0].apps[0].ad_spaces[0] needs a format: banner, video or native',
    ],
  },
  {
    rule: 'a size has width and height',
    edits: [['sizes: [320x50]', 'sizes: [320]']],
    problems: [
      'line 75: publishers[0].apps[0].ad_spaces[0].banner.sizes[0] must be a size in pixels such as 320x50, found 320',
    ],
  },
  {
    rule: 'a video has some duration and some bitrate',
    edits: [['{ w: 640, h: 360 }', '{ w: 640, h: 360, minduration: 61, minbitrate: 5000 }']],
    problems: [
      'line 76: publishers[0].apps[0].ad_spaces[1].video must allow some duration, found 61 to 60 seconds',
      'line 76: publishers[0].apps[0].ad_spaces[1].video must allow some bitrate, found 5000 to 4000 kbps',
    ],
  },
  {
    rule: 'a native ad space asks for something',
    edits: [
      [
        'native: { title: 90, icon: 80x80, image: 1200x627, description: 140, cta: 15 }',
        'native: {}',
      ],
    ],
    problems: [
      'line 77: publishers[0].apps[0].ad_spaces[2].native needs an asset: title, icon, image, description, cta or rating',
    ],
  },
  {
    rule: 'the default time is not longer than the longest one',
    alone: true,
    edits: [['name: Rialto', 'name: Rialto\n  tmax_default_ms: 900\n  tmax_max_ms: 800']],
    problems: [
      'line 4: exchange.tmax_default_ms makes the default time (900 ms) longer than the longest one (800 ms)',
    ],
  },
  {
    rule: 'a secret that is too short or no text is refused without showing it',
    edits: [
      ['password: operator-password', 'password: hunter2'],
      ['client_secret: ops-secret', 'client_secret: 12345678'],
      ['account_auth_token: acme-report-token', 'account_auth_token: short'],
    ],
    problems: [
      'line 9: operators[0].password must be a text of 8 to 1000 characters, in quotes if it looks like a number',
      'line 11: operators[0].applications[0].client_secret must be a text of 8 to 256 printable ASCII characters, in quotes if it is a number',
      'line 17: demand_partners[0].account_auth_token must be a token of 12 to 256 printable ASCII characters without spaces, in quotes if it is a number',
    ],
  },
  {
    rule: 'what is new needs its keys, which are told together',
    alone: true,
    edits: [
      ['        name: Planet Reader\n        bundle: com.planet.reader\n', ''],
      ['endpoint: http://127.0.0.1:9101/bid', 'gzip: true'],
    ],
    problems: [
      'line 23: demand_partners[0].bidder is new, so that it needs endpoint',
      'line 68: publishers[0].apps[0] is new, so that it needs name, bundle',
    ],
  },
  {
    rule: 'something of another shape is refused, and what stands beside it is still read',
    alone: true,
    edits: [
      [
        '    bidder:\n      endpoint: http://127.0.0.1:9101/bid',
        '    bidder: [1]\n    x:\n      a: 1',
      ],
      ['floor: 0.20', 'floor: high'],
    ],
    problems: [
      'line 23: demand_partners[0].bidder must be a mapping of the keys of a bidder, found a list of 1',
      'line 24: demand_partners[0].x is not a key of a demand partner; the keys are id, name, status, account_auth_token, users, bidder, line_items',
      'line 76: publishers[0].apps[0].ad_spaces[0].floor must be a price in USD CPM from 0 to 10000, with six decimals at most, found "high"',
    ],
  },
  {
    rule: 'a key that stands twice is refused',
    alone: true,
    edits: [['revenue_share: 0.8', 'revenue_share: 0.8\n    revenue_share: 0.9']],
    problems: ['line 62: publishers[0].revenue_share stands here a second time'],
  },
];

for (const { rule, edits, problems } of EDITS) {
  test(rule, async (t) => {
    const { db } = await openTestStore(t);
    let text = await readExample();
    for (const [from, to] of edits) {
      assert.ok(text.includes(from), `the example has no "${from}"`);
      text = text.replace(from, to);
    }
    assert.deepEqual(await problemsOf(db, text), problems);
  });
}

test('every error of a file is told at once, in the order of its lines', async (t) => {
  const { db } = await openTestStore(t);
  let text = await readExample();
  const wanted: string[] = [];
  for (const { edits, problems } of EDITS.filter(({ alone }) => alone !== true)) {
    for (const [from, to] of edits) {
      assert.ok(text.includes(from), `an edit before has taken "${from}"`);
      text = text.replace(from, to);
    }
    wanted.push(...problems);
  }
  const found = await problemsOf(db, text);
  assert.ok(wanted.length >= 24, `${wanted.length} problems were planted`);
  assert.deepEqual(found.toSorted(), wanted.toSorted());
  const lines = found.map((problem) => Number(/\d+/.exec(problem)?.[0]));
  assert.deepEqual(
    lines,
    lines.toSorted((a, b) => a - b),
  );
});

/** Files that are in conflict with what the example put into the store. */
const CONFLICTS: readonly (readonly [rule: string, text: string, problems: readonly string[]])[] = [
  [
    'a line item of another demand partner is taken',
    'demand_partners: [{ id: 1002, line_items: [{ id: 501, name: Mine }] }]',
    [
      'line 1: demand_partners[0].line_items[0].id is taken: line item 501 belongs to demand partner 1001',
    ],
  ],
  [
    'an app of another publisher is taken',
    'publishers: [{ id: 2002, name: Other, revenue_share: 0.8, apps: [{ id: 3001, name: A, bundle: a.b }] }]',
    ['line 1: publishers[0].apps[0].id is taken: 3001 is the app of publisher 2001'],
  ],
  [
    'an app does not become a site',
    'publishers: [{ id: 2001, sites: [{ id: 3001, name: A, domain: a.example }] }]',
    ['line 1: publishers[0].sites[0].id is taken: 3001 is the app of publisher 2001'],
  ],
  [
    'an ad space of another site is taken',
    'publishers: [{ id: 2001, apps: [{ id: 3001, ad_spaces: [{ id: 4004 }] }] }]',
    ['line 1: publishers[0].apps[0].ad_spaces[0].id is taken: ad space 4004 belongs to site 3002'],
  ],
  [
    'a user of another owner is taken',
    'operators: [{ email: ADS@planet.example, password: long-enough }]',
    ['line 1: operators[0].email is taken: ads@planet.example is a user of publisher 2001'],
  ],
  [
    'an application of another user is taken',
    'operators: [{ email: operator@example.com, applications: [{ client_id: acme-client }] }]',
    [
      'line 1: operators[0].applications[0].client_id is taken: "acme-client" belongs to another user',
    ],
  ],
  [
    'a token of another account is taken',
    'publishers: [{ id: 2003, name: Other, revenue_share: 0.8, account_auth_token: acme-report-token }]',
    [
      'line 1: publishers[0].account_auth_token is the token of demand partner 1001; every account needs its own',
    ],
  ],
  [
    'a seat of another demand partner is taken',
    'demand_partners: [{ id: 1003, name: C, line_items: [{ id: 503, name: L, seat: acme-1 }] }]',
    [
      'line 1: demand_partners[0].line_items[0].seat must belong to one demand partner, found "acme-1", which line item 501 of demand partner 1001 has',
    ],
  ],
  [
    'a deal of another type says its amount again',
    'deals: [{ id: planet-acme-1, type: first_price }]',
    ['line 1: deals[0] needs floor, since it is a first_price deal'],
  ],
  [
    'the last format of an ad space cannot be taken away',
    'publishers: [{ id: 2001, apps: [{ id: 3001, ad_spaces: [{ id: 4001, banner: null }] }] }]',
    ['line 1: publishers[0].apps[0].ad_spaces[0] needs a format: banner, video or native'],
  ],
];

for (const [rule, text, problems] of CONFLICTS) {
  test(`with what the store holds: ${rule}`, async (t) => {
    const { db } = await openTestStore(t);
    assert.deepEqual(await problemsOf(db, await readExample()), []);
    assert.deepEqual(await problemsOf(db, text), problems);
  });
}

/** Files that are right, but may not mean what they do. */
const NOTES: readonly (readonly [rule: string, text: string, notes: readonly string[]])[] = [
  [
    'an endpoint that the guard at connect would refuse is noted',
    'exchange: { allow_private_addresses: [] }\ndemand_partners: [{ id: 1001, bidder: { endpoint: "http://[::ffff:10.0.0.1]/bid" } }]',
    [
      'line 2: demand_partners[0].bidder.endpoint is at the private address ::ffff:a00:1, which is not called unless exchange.allow_private_addresses has a range with it',
    ],
  ],
  [
    'a matching address inside a network is noted',
    'demand_partners: [{ id: 1001, bidder: { sync_url: "https://192.168.1.1/match?r=${REDIRECT}" } }]',
    [
      'line 1: demand_partners[0].bidder.sync_url is at the private address 192.168.1.1, which is not called unless exchange.allow_private_addresses has a range with it',
    ],
  ],
  [
    'a matching address from which no user id comes back is noted',
    'demand_partners: [{ id: 1001, bidder: { sync_url: "https://match.example/s" } }, { id: 1002, bidder: { sync_url: "https://match.example/s?r={{.redirect}}" } }]',
    [
      'line 1: demand_partners[0].bidder.sync_url has no ${REDIRECT}, so that the partner is opened and its user id does not come back',
    ],
  ],
  [
    'a deal whose seat goes away is noted',
    'demand_partners: [{ id: 1001, line_items: [{ id: 501, seat: acme-2 }] }]',
    ['line 1: Deal "planet-acme-1" is for seat "acme-1", which no line item has any longer.'],
  ],
];

for (const [rule, text, notes] of NOTES) {
  test(rule, async (t) => {
    const { db } = await openTestStore(t);
    assert.deepEqual(await problemsOf(db, await readExample()), []);
    const applied = await applyQuickly(db, text);
    assert.ok(applied.ok);
    assert.deepEqual(
      applied.notes.map((note) => describeProblem(note)),
      notes,
    );
  });
}

test('a seat may move to another demand partner within one file', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const text = `demand_partners:
  - { id: 1001, line_items: [{ id: 501, seat: acme-2 }] }
  - { id: 1002, line_items: [{ id: 502, seat: acme-1 }] }`;
  assert.deepEqual(await problemsOf(db, text), []);
});

test('the seat of an archived line item is free', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const text = `demand_partners:
  - { id: 1001, line_items: [{ id: 501, status: ARCHIVED }] }
  - { id: 1002, line_items: [{ id: 502, seat: acme-1 }] }`;
  assert.deepEqual(await problemsOf(db, text), []);
  const back = 'demand_partners: [{ id: 1001, line_items: [{ id: 501, status: ACTIVE }] }]';
  assert.match((await problemsOf(db, back)).join(), /line_items\[0\]\.seat must belong to one/);
});
