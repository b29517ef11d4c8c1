import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import type { ShownApp, ShownSite } from '../../../src/management/properties/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';
import { Checklist } from '../parts/checklist.tsx';
import type { Report } from './report.ts';
import { usePublisher } from './use-publisher.ts';

interface StartChecklistProps {
  readonly report: Asked<Report>;
  readonly adSpaces: Asked<readonly ShownAdSpace[]>;
}

/** What a new publisher does first; gone once its first requests are in. */
export function StartChecklist({ report, adSpaces }: StartChecklistProps) {
  const { root, api } = usePublisher();
  const apps = useAsk<readonly ShownApp[]>(`${api}/apps/`, { limit: 1 });
  const sites = useAsk<readonly ShownSite[]>(`${api}/sites/`, { limit: 1 });
  if (report.data === undefined || adSpaces.data === undefined) return null;
  const hasRequests = report.data.body.data.some(({ requests = 0 }) => requests > 0);
  if (hasRequests || apps.data === undefined || sites.data === undefined) return null;
  const hasProperty = apps.data.body.length + sites.data.body.length > 0;
  const [space] = adSpaces.data.body;
  const tags = space === undefined ? `${root}/ad-spaces` : `${root}/ad-spaces/${space.id}`;
  return (
    <Checklist
      title="First steps"
      steps={[
        {
          isDone: hasProperty,
          title: 'Add an app or a site',
          to: `${root}/properties`,
          help: 'So that bidders know where ads will be.',
        },
        {
          isDone: space !== undefined,
          title: 'Add an ad space',
          to: `${root}/ad-spaces/new`,
          help: 'With its format, size and floor.',
        },
        {
          isDone: false,
          title: 'Copy its tag',
          to: tags,
          search: { tab: 'tags' },
          help: 'Into the page or app. The first request shows up here within a minute or so.',
        },
        {
          isDone: null,
          title: 'Add the lines to ads.txt',
          to: `${root}/ads-txt`,
          help: 'Many buyers do not bid on a seller that is not in it.',
        },
      ]}
    />
  );
}
