import Type, { type Static } from 'typebox';

const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });
const HEADERS = Type.Record(Type.String(), Type.String());

/** What a test request offers. */
export const TestRequestSchema = Type.Object(
  {
    ad_format: Type.Union([Type.Literal('banner'), Type.Literal('video'), Type.Literal('native')], {
      description: 'banner, video or native',
    }),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        maxLength: 2,
        description: 'where the device is, an ISO 3166-1 alpha-2 country code; US without it',
      }),
    ),
    size: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$',
        maxLength: 9,
        description: 'a size such as 320x50 of the banner or of the video player; native has none',
      }),
    ),
    environment: Type.Optional(
      Type.Union([Type.Literal('app'), Type.Literal('site')], {
        description: 'app or site; app without it',
      }),
    ),
    interstitial: Type.Optional(
      Type.Boolean({ description: 'true for an ad that takes the whole screen' }),
    ),
  },
  { additionalProperties: false, title: 'a test request' },
);

export type TestRequest = Static<typeof TestRequestSchema>;

const FindingSchema = Type.Object(
  {
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    pointer: textOrNull('a JSON pointer into the body of the answer; null for what is not in it'),
    message: Type.String(),
  },
  { title: 'TestFinding', additionalProperties: false },
);

const BidSchema = Type.Object(
  {
    bid_id: Type.String({ description: 'empty where it cannot be read' }),
    seat: textOrNull('null where the bid names none'),
    imp: textOrNull('imp.id that it is for; null where that was not offered'),
    bid_cpm: Type.Union([Type.Number(), Type.Null()], {
      description: 'US dollars per thousand impressions; null where it cannot be read',
    }),
    valid: Type.Boolean({ description: 'whether it would compete in an auction' }),
    loss_reason: Type.Integer({ description: 'a loss reason of OpenRTB; 0 is a win' }),
    loss_reason_text: Type.String(),
    detail: textOrNull('the values that were compared; null where there is no more to say'),
    adm_preview: textOrNull('the first 2 KB of the markup, as text; null without any'),
  },
  { title: 'TestBid', additionalProperties: false },
);

/** What was sent, what came back, and what an auction makes of it. */
export const TestResultSchema = Type.Object(
  {
    sent: Type.Object(
      {
        url: Type.String(),
        headers: HEADERS,
        body: Type.String({ description: 'the bid request as JSON, before any compression' }),
      },
      { additionalProperties: false },
    ),
    answer: Type.Union(
      [
        Type.Object(
          {
            status: Type.Union([Type.Integer(), Type.Null()], {
              description: 'null where it could not be read to its end',
            }),
            headers: HEADERS,
            body: Type.String({ description: 'as text, decompressed; 64 KB of it at most' }),
            is_cut: Type.Boolean({ description: 'whether more came than is shown' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null where none had begun by the deadline' },
    ),
    duration_ms: Type.Number({ minimum: 0 }),
    timeout_ms: Type.Integer({ description: 'how long the bidder had', minimum: 0 }),
    outcome: Type.Union([
      Type.Literal('bid'),
      Type.Literal('no_bid'),
      Type.Literal('timeout'),
      Type.Literal('error'),
    ]),
    reason: textOrNull('a word for programs, such as http_500; null where the outcome says it all'),
    findings: Type.Array(FindingSchema, { description: 'what is wrong, errors first' }),
    bids: Type.Array(BidSchema),
    sentence: Type.String({ description: 'what came of it, for people' }),
  },
  { title: 'TestResult', additionalProperties: false },
);

export type TestResult = Static<typeof TestResultSchema>;
export type TestFinding = Static<typeof FindingSchema>;
export type TestBid = Static<typeof BidSchema>;
