import { Anchor, Skeleton, Stack, Text, Badge, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownPublisher } from '../../../src/management/publishers/schema.ts';
import { roleOf, useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { tell } from '../parts/notices.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { BlockingFields, type Blocking } from '../parts/forms/blocking-fields.tsx';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { FloorsField } from '../parts/forms/floors-field.tsx';
import { Section } from '../parts/forms/section.tsx';
import { useEdit } from '../parts/forms/use-edit.ts';
import { CREATIVE_ATTRIBUTES } from '../../../src/openrtb/creative-lists.ts';
import { categoryLabel, listLabel } from '../parts/forms/codes.ts';
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
  const exchange = useAsk('/api/exchange/');
  return (
    <Loaded asked={exchange} skeleton={<Lines count={2} />}>
      {(body) => <BlockedLists value={body} />}
    </Loaded>
  );
}

const SHOWN_MAX = 100;

/** What is blocked elsewhere, to look at. */
function BlockedLists({ value }: { readonly value: Blocking }) {
  const lists = [
    { label: 'Categories', texts: value.blocked_categories.map((code) => categoryLabel(code)) },
    { label: 'Advertisers', texts: value.blocked_advertisers },
    { label: 'Apps', texts: value.blocked_apps },
    {
      label: 'Creative attributes',
      texts: value.blocked_attributes.map((each) => listLabel(CREATIVE_ATTRIBUTES, each)),
    },
  ].filter(({ texts }) => texts.length > 0);
  if (lists.length === 0) return <Text size="sm">Nothing.</Text>;
  return (
    <Stack gap="xs">
      {lists.map(({ label, texts }) => (
        <Group key={label} gap={6}>
          <Text size="sm" fw={500}>
            {label}:
          </Text>
          {texts
            .toSorted()
            .slice(0, SHOWN_MAX)
            .map((text) => (
              <Badge key={text} variant="default" tt="none">
                {text}
              </Badge>
            ))}
          {texts.length > SHOWN_MAX && (
            <Text size="sm" c="dimmed">
              and {texts.length - SHOWN_MAX} more
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  );
}
