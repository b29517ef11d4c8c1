import { prometheusAlerts } from './alerts.ts';
import { renderApiAnswers } from './api-answers.ts';
import { auctionsReference } from './auctions.ts';
import { cliReference } from './cli.ts';
import { configurationFileReference } from './configuration-file.ts';
import { overviewDashboard, roleDashboard } from './dashboards.ts';
import { errorsReference } from './errors.ts';
import { metricsReference } from './metrics.ts';
import { newResourcesModule } from './new-resources.ts';
import { openapiReference } from './openapi.ts';
import { openrtbListsReference } from './openrtb-lists.ts';
import { openrtbReference } from './openrtb.ts';
import { settingsReference } from './settings.ts';
import { tagScriptModule } from './tag-script.ts';
import { tagsReference } from './tags.ts';

/** A document that is written from the code, and committed so that it can be read without it. */
export interface GeneratedDocument {
  /** From the root of the repository. */
  readonly path: string;
  /** Its whole text, formatted as oxfmt would. */
  readonly render: () => string | Promise<string>;
}

/** Every generated document; `npm run gen` writes them, `npm run check` compares them. */
export const DOCUMENTS: readonly GeneratedDocument[] = [
  { path: 'console/src/api/answers.ts', render: renderApiAnswers },
  { path: 'console/src/api/new-resources.ts', render: newResourcesModule },
  { path: 'docs/reference/auctions.md', render: auctionsReference },
  { path: 'docs/reference/cli.md', render: cliReference },
  { path: 'docs/reference/configuration.md', render: settingsReference },
  { path: 'docs/reference/configuration-file.md', render: configurationFileReference },
  { path: 'docs/reference/errors.md', render: errorsReference },
  { path: 'docs/reference/metrics.md', render: metricsReference },
  { path: 'docs/reference/openapi.json', render: openapiReference },
  { path: 'docs/reference/openrtb.md', render: openrtbReference },
  { path: 'docs/reference/openrtb-lists.md', render: openrtbListsReference },
  { path: 'docs/reference/tags.md', render: tagsReference },
  { path: 'ops/grafana/rialto.json', render: overviewDashboard },
  { path: 'ops/grafana/rialto-control.json', render: () => roleDashboard('control') },
  { path: 'ops/grafana/rialto-exchange.json', render: () => roleDashboard('exchange') },
  { path: 'ops/grafana/rialto-tracker.json', render: () => roleDashboard('tracker') },
  { path: 'ops/prometheus/alerts.yaml', render: prometheusAlerts },
  { path: 'src/edge/tag-script.ts', render: tagScriptModule },
];
