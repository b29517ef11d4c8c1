/**
 * Uses the API of control as a partner's program does that was written against a generated client:
 * `node use.ts URL CLIENT_ID CLIENT_SECRET REPORT_TOKEN PARTNER DATE` prints what it did as JSON.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [baseUrl = '', clientId = '', clientSecret = '', reportToken = '', partner = '', date = ''] =
  process.argv.slice(2);
const days = { start_date: date, end_date: date };

const anonymous = createClient<paths>({ baseUrl });
const token = await anonymous.POST('/v2/auth/token/', {
  body: {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: 'write',
  },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body) => new URLSearchParams({ ...body }),
});
const { access_token: accessToken } = given(token.data, token.error);

const client = createClient<paths>({
  baseUrl,
  headers: { authorization: `Bearer ${accessToken}` },
});
const self = await client.GET('/api/self/');
const { association } = given(self.data, self.error);

const path = { demand_partner_id: Number(partner) };
const made = await client.POST('/api/demand-partners/{demand_partner_id}/line-items/xch/', {
  params: { path, header: { 'Idempotency-Key': `typescript-${date}` } },
  body: {
    name: 'Of a client',
    targeting: { os: { identifiers: [{ code: 'iOS' }], is_whitelist: true } },
  },
});
const { id } = given(made.data, made.error);
const changed = await client.PATCH(
  '/api/demand-partners/{demand_partner_id}/line-items/xch/{line_item_id}/',
  { params: { path: { ...path, line_item_id: id } }, body: { status: 'PAUSED' } },
);
const { status } = given(changed.data, changed.error);
const refused = await client.PATCH(
  '/api/demand-partners/{demand_partner_id}/line-items/xch/{line_item_id}/',
  { params: { path: { ...path, line_item_id: id } }, body: { name: '' } },
);
const problem: components['schemas']['Problem'] = given(refused.error, refused.data);
const items = await client.GET('/api/demand-partners/{demand_partner_id}/line-items/xch/', {
  params: { path },
});
const kpis = await client.POST('/api/demand-partners/{demand_partner_id}/line-items/xch/kpi/', {
  params: { path },
  body: days,
});
const discovery = await client.POST('/api/inventory/discovery/', {
  body: { geo: { countries: { identifiers: [{ code: 'US' }], is_whitelist: true } } },
});
const report = await anonymous.GET('/reporting/brand/demand', {
  params: { query: { ...days, account_auth_token: reportToken } },
});

console.log(
  JSON.stringify({
    partner: association?.entity_id,
    line_item_status: status,
    problem_code: problem.code,
    problem_pointer: problem.errors[0]?.pointer,
    has_line_item: given(items.data, items.error).some((item) => item.id === id),
    kpi_requests: given(kpis.data, kpis.error).reduce((sum, row) => sum + row.dsp_requests, 0),
    discovery_days: given(discovery.data, discovery.error).days.length,
    report_requests: rowsOf(given(report.data, report.error))[0]?.dsp_requests,
  }),
);

/** A report is text where CSV was asked for. */
function rowsOf<Rows>(report: string | { data: Rows[] }): Rows[] {
  if (typeof report === 'string') throw new Error('CSV came, where JSON was asked for');
  return report.data;
}

function given<T>(value: T | undefined, otherwise: unknown): T {
  if (value === undefined) throw new Error(`not what was asked for: ${JSON.stringify(otherwise)}`);
  return value;
}
