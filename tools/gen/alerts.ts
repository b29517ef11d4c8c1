import { stringify } from 'yaml';
import { gaugeOf, grows, quantileOf, rateOf, series } from './promql.ts';

interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it must hold. */
  readonly for?: string;
  /** `critical`: somebody should look at once, at night too; `warning`: in working hours. */
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** What to do, or where to look. */
  readonly action: string;
}

const SLOW_AUCTION_S = 1;
const SLOW_BEACON_S = 0.5;
const CONTROL_BYTES_MAX = 1_000_000_000;
const OTHER_BYTES_MAX = 512_000_000;

const ALERTS: readonly Alert[] = [
  {
    name: 'RialtoDown',
    expr: 'up{job="rialto"} == 0',
    for: '1m',
    severity: 'critical',
    summary: 'The node {{ $labels.instance }} does not answer with its metrics.',
    action: 'See whether its service runs, and what it logged last.',
  },
  {
    name: 'RialtoProcessRestarted',
    expr: grows('rialto_process_restarts_total', { over: '15m' }),
    severity: 'warning',
    summary: 'A process of the role {{ $labels.role }} ended by itself on {{ $labels.instance }}.',
    action: 'The log of the node says how it ended.',
  },
  {
    name: 'RialtoAuctionsUnrecorded',
    expr: grows('rialto_auctions_total', { matchers: { outcome: 'unrecorded' } }),
    severity: 'critical',
    summary: 'The journal of {{ $labels.instance }} cannot be written: ad requests are refused.',
    action: 'Look whether the disk is full or fails; the exchange goes on by itself afterwards.',
  },
  {
    name: 'RialtoAuctionFaults',
    expr: grows('rialto_auction_faults_total'),
    severity: 'warning',
    summary: 'A step of an auction threw an error on {{ $labels.instance }}.',
    action: 'It is a defect: report what the log says.',
  },
  {
    name: 'RialtoOverloaded',
    expr: `${rateOf('rialto_auctions_total', { by: ['instance'], matchers: { outcome: 'overloaded' } })} / ${rateOf('rialto_auctions_total', { by: ['instance'] })} > 0.01`,
    for: '5m',
    severity: 'warning',
    summary: 'More than 1 % of ad requests are refused on {{ $labels.instance }}.',
    action: 'Give it more exchange processes, or take traffic away from it.',
  },
  {
    name: 'RialtoAuctionsSlow',
    expr: `${quantileOf(0.99, 'rialto_auction_duration_seconds', { by: ['instance'] })} > ${SLOW_AUCTION_S}`,
    for: '10m',
    severity: 'warning',
    summary: 'One auction in a hundred takes longer than a second on {{ $labels.instance }}.',
    action: "Compare the bidders' response times, and the CPU of the exchange processes.",
  },
  {
    name: 'RialtoTrafficEnded',
    expr: `${rateOf('rialto_auctions_total', { by: ['instance'], over: '10m' })} == 0 and ${rateOf('rialto_auctions_total', { by: ['instance'], over: '1h', ago: '10m' })} > 0.1`,
    for: '5m',
    severity: 'critical',
    summary: 'No ad request has reached {{ $labels.instance }} for ten minutes.',
    action: 'Send one through the public address: DNS, certificate, proxy, firewall.',
  },
  {
    name: 'RialtoBeaconsSlow',
    expr: `${quantileOf(0.99, 'rialto_beacon_seconds', { by: ['instance'] })} > ${SLOW_BEACON_S}`,
    for: '10m',
    severity: 'warning',
    summary: 'One beacon in a hundred waits longer than half a second on {{ $labels.instance }}.',
    action: 'It is the time of fdatasync: look at what else writes to that disk.',
  },
  {
    name: 'RialtoReportsBehind',
    expr: `${series('rialto_node_backlog_seconds')} > 120`,
    for: '5m',
    severity: 'warning',
    summary: 'Reports lack what the node {{ $labels.node }} recorded in the last minutes.',
    action: 'Nothing is lost. rialto status says what holds the records back.',
  },
  {
    name: 'RialtoRecordsQuarantined',
    expr: `${series('rialto_quarantined_records')} > 0`,
    severity: 'critical',
    summary: 'Records were refused by the analytics store and wait for a person.',
    action: 'Reports lack them. rialto quarantine says why; retry or drop them there.',
  },
  {
    name: 'RialtoJournalDamaged',
    expr: `${series('rialto_quarantined_damage')} > 0`,
    severity: 'critical',
    summary: 'A journal is damaged, and records in it are lost.',
    action: 'Check the disk. rialto quarantine shows the places, rialto reconcile what is missing.',
  },
  {
    name: 'RialtoSegmentUnreadable',
    expr: `${series('rialto_node_unreadable_segments')} > 0`,
    severity: 'critical',
    summary: 'The courier of the node {{ $labels.node }} leaves a segment that it cannot read.',
    action: 'Its log names the segment. Keep the file, and look at the disk.',
  },
  {
    name: 'RialtoAnalyticsClosed',
    expr: `${series('rialto_analytics_open')} == 0`,
    for: '5m',
    severity: 'critical',
    summary: 'Control has no analytics store: reports fail, and batches wait.',
    action: "Control's log says why it cannot be opened.",
  },
  {
    name: 'RialtoNodeSilent',
    expr: `${series('rialto_node_silence_seconds')} > 60`,
    severity: 'critical',
    summary: 'Control has not heard of the node {{ $labels.node }} for a minute.',
    action: 'The node sells on with what it has. See whether it runs and reaches control.',
  },
  {
    name: 'RialtoNoticesLate',
    expr: `${series('rialto_node_notices_oldest_seconds')} > 600`,
    for: '5m',
    severity: 'warning',
    summary: 'A win or billing notice of the node {{ $labels.node }} has waited for ten minutes.',
    action: 'See which partner fails, and tell it.',
  },
  {
    name: 'RialtoNoticesGivenUp',
    expr: grows('rialto_node_notices_given_up_total'),
    severity: 'warning',
    summary: 'Notices for the demand partner {{ $labels.demand_partner }} were given up.',
    action: 'Tell the partner; rialto reconcile counts them.',
  },
  {
    name: 'RialtoLeasesExpired',
    expr: `${gaugeOf('max', 'rialto_leases_expired', { by: ['instance', 'process'] })} > 0`,
    for: '1m',
    severity: 'critical',
    summary: 'An exchange process on {{ $labels.instance }} sells nothing that has a limit.',
    action: 'It has no lease: see whether control runs and its courier reaches it.',
  },
  {
    name: 'RialtoNoLeader',
    expr: `${gaugeOf('max', 'rialto_control_leads')} == 0`,
    for: '1m',
    severity: 'critical',
    summary: 'No control hands out leases.',
    action: 'See whether the configuration store can be reached. Leases last for 20 minutes.',
  },
  {
    name: 'RialtoConfigurationFailed',
    expr: grows('rialto_snapshot_compilations_total', { matchers: { result: 'failed' } }),
    severity: 'critical',
    summary: 'A change of the configuration could not be compiled; nodes keep the one before.',
    action: "Control's log says what is wrong.",
  },
  {
    name: 'RialtoBidderSick',
    expr: `${gaugeOf('max', 'rialto_bidder_breaker_open', { by: ['demand_partner'] })} > 0`,
    for: '10m',
    severity: 'warning',
    summary: 'Calls to the demand partner {{ $labels.demand_partner }} fail; it is only probed.',
    action: 'Tell the partner. It is called again by itself when it answers.',
  },
  {
    name: 'RialtoCertificateExpires',
    expr: `${gaugeOf('min', 'rialto_certificate_expiry_timestamp_seconds', { by: ['demand_partner', 'host'] })} - time() < 14 * 86400`,
    severity: 'warning',
    summary:
      'The TLS certificate of {{ $labels.host }} (demand partner {{ $labels.demand_partner }}) expires within two weeks, or has expired.',
    action: 'Tell the partner: its bidder is not called with a certificate that has expired.',
  },
  {
    name: 'RialtoPasswordsGuessed',
    expr: grows('rialto_sign_ins_total', { matchers: { outcome: 'throttled' } }),
    severity: 'warning',
    summary: 'Somebody tries passwords faster than is allowed.',
    action: 'The audit log has the addresses.',
  },
  {
    name: 'RialtoSecretsGuessed',
    expr: grows('rialto_client_authentications_total', { matchers: { outcome: 'throttled' } }),
    severity: 'warning',
    summary: 'Somebody guesses secrets of programs, or a program has an old one.',
    action: 'The audit log and the log of the proxy have the addresses.',
  },
  {
    name: 'RialtoMemoryHigh',
    expr: `${series('process_resident_memory_bytes', { role: 'control' })} > ${CONTROL_BYTES_MAX} or ${series('process_resident_memory_bytes', { role: '~exchange|tracker|courier' })} > ${OTHER_BYTES_MAX}`,
    for: '15m',
    severity: 'warning',
    summary: 'A process of the role {{ $labels.role }} on {{ $labels.instance }} has grown.',
    action: 'Compare it with the sizes in the guide; a restart is safe at any time.',
  },
];

/** `ops/prometheus/alerts.yaml`. */
export function prometheusAlerts(): string {
  const rules = ALERTS.map(({ name, expr, for: held, severity, summary, action }) => ({
    alert: name,
    expr,
    ...(held === undefined ? {} : { for: held }),
    labels: { severity },
    annotations: { summary, action, runbook: 'docs/guides/faults.md' },
  }));
  const text = stringify({ groups: [{ name: 'rialto', rules }] }, { lineWidth: 0 });
  return `# Written by "npm run gen" from tools/gen/alerts.ts; change it there. The job that scrapes is called rialto.\n${text}`;
}
