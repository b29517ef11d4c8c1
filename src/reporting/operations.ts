import Type, { type TProperties, type TSchema } from 'typebox';
import {
  DEMAND_DIMENSIONS,
  DEMAND_METRICS,
  SUPPLY_DIMENSIONS,
  SUPPLY_METRICS,
  type SupplyDimension,
} from '../analytics/report.ts';
import { ERRORS, type ErrorCode } from '../base/errors.ts';
import type { Answer, Operation, Parameter } from '../openapi/operation.ts';
import type { ReportParameter } from './parameters.ts';

/** The reports of `routes.ts` as the reference describes them. */
export function reportingOperations(): readonly Operation[] {
  return [
    report('Demand', DEMAND_DIMENSIONS, DEMAND_METRICS, 'What a demand partner bought, by day'),
    report('Supply', SUPPLY_DIMENSIONS, SUPPLY_METRICS, 'What a publisher sold, by day'),
  ];
}

const DAY = Type.String({ format: 'date' });
const COUNT = Type.Integer({ minimum: 0 });

/** Every dimension, so that a new one cannot be forgotten here. */
const DIMENSIONS: Readonly<Record<SupplyDimension, TSchema>> = {
  date: Type.String({ format: 'date', description: 'a day in UTC' }),
  ad_format: Type.String({ description: 'banner, video or native' }),
  app_bundle: Type.String(),
  app_site_domain: Type.String(),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-3; empty is unknown' }),
  interstitial: Type.Integer({ minimum: 0, maximum: 1, description: '1 is true' }),
  platform: Type.String(),
  rewarded: Type.Boolean(),
  os: Type.String(),
  zone_id: Type.Integer({ description: 'the ad space' }),
};

type MetricName = (typeof DEMAND_METRICS | typeof SUPPLY_METRICS)[number]['name'];

const METRICS: Readonly<Record<MetricName, TSchema>> = {
  gross_revenue: Type.Number({ minimum: 0, description: 'US dollars' }),
  payout: Type.Number({ minimum: 0, description: 'US dollars' }),
  impressions: COUNT,
  bids: COUNT,
  clicks: COUNT,
  dsp_requests: Type.Integer({ minimum: 0, description: 'bid requests that were sent' }),
  wins: COUNT,
  filled_requests: Type.Integer({ minimum: 0, description: 'with `date` among the dimensions' }),
  requests: Type.Integer({ minimum: 0, description: 'with `date` among the dimensions' }),
  supply_wins: Type.Integer({ minimum: 0, description: 'with `date` among the dimensions' }),
};

interface MetricColumn {
  readonly name: MetricName;
  readonly byDateOnly?: true;
}

function report(
  name: 'Demand' | 'Supply',
  dimensions: readonly SupplyDimension[],
  metrics: readonly MetricColumn[],
  description: string,
): Operation {
  const example = exampleRow(metrics);
  const answer = { status: 'success', data: [example], result_count: 1 };
  return {
    id: `get${name}Report`,
    method: 'get',
    path: `/reporting/brand/${name.toLowerCase()}`,
    tag: 'Reports',
    summary: `Get the ${name.toLowerCase()} report`,
    description: `${description}: one row for each group that there is.`,
    roles: [],
    access: { scheme: 'accountToken' },
    parameters: parametersOf(dimensions),
    body: [],
    answers: [
      {
        status: 200,
        meaning: 'the report',
        contents: [
          {
            type: 'application/json',
            schema: envelope(name, dimensions, metrics),
            example: answer,
          },
          { type: 'text/csv', schema: Type.String(), example: csvOf(example) },
        ],
      },
      ...REFUSALS,
    ],
    problems: [],
  };
}

function parametersOf(dimensions: readonly SupplyDimension[]): readonly Parameter[] {
  // The account's token is a scheme of its own.
  const described: Readonly<
    Record<Exclude<ReportParameter, 'account_auth_token'>, Omit<Parameter, 'name' | 'in'>>
  > = {
    start_date: { ...REQUIRED, description: 'the first day', schema: DAY, example: '2026-11-01' },
    end_date: { ...REQUIRED, description: 'the last day', schema: DAY, example: '2026-11-20' },
    format: {
      required: false,
      description: '`json` where nothing is said',
      schema: Type.Enum(['json', 'csv']),
      example: 'json',
    },
    group_by: {
      required: false,
      description:
        'one dimension or several with commas between them; `date` where nothing is said',
      schema: Type.Array(Type.Enum([...dimensions]), { minItems: 1, uniqueItems: true }),
      example: ['date'],
      isCommaSeparated: true,
    },
  };
  const parameters: Parameter[] = [];
  for (const [name, each] of Object.entries(described)) {
    parameters.push({ name, in: 'query', ...each });
  }
  return parameters;
}

const REQUIRED = { required: true };

function envelope(
  name: string,
  dimensions: readonly SupplyDimension[],
  metrics: readonly MetricColumn[],
) {
  const properties: TProperties = {};
  for (const each of dimensions) properties[each] = Type.Optional(DIMENSIONS[each]);
  for (const { name: metric, byDateOnly } of metrics) {
    const schema = METRICS[metric];
    properties[metric] = byDateOnly === true ? Type.Optional(schema) : schema;
  }
  return Type.Object(
    {
      status: Type.Literal('success'),
      data: Type.Array(Type.Object(properties, { title: `${name}Row` })),
      result_count: Type.Integer({ minimum: 0, description: 'the number of rows' }),
    },
    { title: `${name}Report` },
  );
}

function exampleRow(metrics: readonly MetricColumn[]): Readonly<Record<string, string | number>> {
  const amounts = metrics.map(({ name }): [string, number] => [
    name,
    name === 'gross_revenue' || name === 'payout' ? 12.34 : 5_000,
  ]);
  return { date: '2026-11-20', ...Object.fromEntries(amounts) };
}

function csvOf(row: Readonly<Record<string, string | number>>): string {
  return `${Object.keys(row).join(',')}\r\n${Object.values(row).join(',')}\r\n`;
}

/** An error in the reports' own form. */
const ReportErrorSchema = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.String({ description: 'of the table of errors' }),
    message: Type.String({ description: 'what is wrong, and what would be right' }),
    data: Type.Array(Type.Unknown(), { maxItems: 0 }),
    result_count: Type.Literal(0),
  },
  { title: 'ReportError' },
);

const REFUSED_WITH: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_account_token',
  'wrong_account',
  'too_many_reports',
  'analytics_unavailable',
];

const RETRY = { 'Retry-After': 'how long to wait, in seconds' };

const REFUSALS: readonly Answer[] = REFUSED_WITH.map((code) => {
  const { status, message } = ERRORS[code];
  const example = { status: 'error', code, message, data: [], result_count: 0 };
  return {
    status,
    meaning: `\`${code}\`: ${message}`,
    headers: status === 503 || status === 429 ? RETRY : {},
    contents: [
      { type: 'application/json', schema: ReportErrorSchema, example },
      { type: 'text/plain', schema: Type.String(), example: `${message}\n` },
    ],
  };
});
