import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownExchange } from '../../../src/management/exchange/schema.ts';
import type { ShownPublisher } from '../../../src/management/publishers/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { tell } from '../parts/notices.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { BlockedLists } from './blocked-lists.tsx';
import { BlockingFields } from '../parts/forms/blocking-fields.tsx';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { FloorsField } from '../parts/forms/floors-field.tsx';
import { Section } from '../parts/forms/section.tsx';
import { useEdit } from '../parts/forms/use-edit.ts';
import { useAskPublisher, usePublisher } from './use-publisher.ts';

/** What a publisher does not want shown anywhere, and the least that it sells for. */
export function BlockingPage() {
  const { api, root } = usePublisher();
  const publisher = useAskPublisher();
  return (
    <>
      <PageHeader
        title="Blocking"
        description={
          <>
            For all apps, sites and ad spaces; each of them can block more. Bidders are told, and a
            bid against it loses. A single creative or advertiser is blocked under{' '}
            <Anchor component={Link} to={`${root}/creatives`} inherit underline="always">
              Creatives
            </Anchor>
            .
          </>
        }
      />
      <Loaded asked={publisher} skeleton={<Skeleton height={720} />}>
        {(body, { etag }) => (
          <BlockingForm key={api} publisher={body} etag={etag} path={`${api}/`} />
        )}
      </Loaded>
    </>
  );
}

interface BlockingFormProps {
  readonly publisher: ShownPublisher;
  readonly etag: string | null;
  readonly path: string;
}

function BlockingForm({ publisher, etag, path }: BlockingFormProps) {
  const edit = useEdit<ShownPublisher>({
    start: publisher,
    etag,
    path,
    onSaved: () => tell('Saved. It holds within two seconds.'),
  });
  const { draft, set, put, problems } = edit;
  return (
    <Stack gap="lg">
      <Inherited />
      <EditForm edit={edit} label="Blocking and floors">
        <Section title="Blocked by the publisher">
          <BlockingFields value={draft} onChange={put} problems={problems} />
        </Section>
        <Section
          title="Floors"
          description="The least that a bid has to bring in any ad space. No app, site or ad space undercuts it; a rule that names countries or formats goes before one that does not."
        >
          <FloorsField
            value={draft.floors}
            onChange={(next) => set('floors', next)}
            problems={problems}
          />
        </Section>
      </EditForm>
    </Stack>
  );
}

/** What the exchange blocks adds to it; its settings are the operator's to see. */
function Inherited() {
  const isOperator = roleOf(useSession()) === 'operator';
  return (
    <Section
      title="Blocked by the exchange"
      description="Holds for every publisher, and adds to your own."
    >
      {isOperator ? (
        <ExchangeLists />
      ) : (
        <Text size="sm">
          The operator may block more for everybody, such as illegal content. Ask the operator what
          that is; you need not block it again.
        </Text>
      )}
    </Section>
  );
}

function ExchangeLists() {
  const exchange = useAsk<ShownExchange>('/api/exchange/');
  return (
    <Loaded asked={exchange} skeleton={<Lines count={2} />}>
      {(body) => <BlockedLists value={body} />}
    </Loaded>
  );
}
