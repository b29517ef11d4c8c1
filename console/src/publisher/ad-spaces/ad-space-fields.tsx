import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { AD_POSITIONS } from '../../../../src/openrtb/creative-lists.ts';
import { BlockingFields } from '../../parts/forms/blocking-fields.tsx';
import { FloorsField } from '../../parts/forms/floors-field.tsx';
import { NumberField, PriceField } from '../../parts/forms/number-field.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import { SettingFields } from '../../parts/forms/setting-fields.tsx';
import type { Setting } from '../../parts/forms/setting.ts';
import type { Edit } from '../../parts/forms/use-edit.ts';
import type { AdSpaceDraft, BackfillDraft } from './draft.ts';
import { FormatFields } from './format-fields.tsx';

interface FieldsProps {
  readonly edit: Edit<AdSpaceDraft>;
}

/** Everything of an ad space but its name and where it is. */
export function AdSpaceFields({ edit }: FieldsProps) {
  const { draft, put, problems } = edit;
  return (
    <>
      <FormatFields edit={edit} />
      <Prices edit={edit} />
      <Details edit={edit} />
      <Refreshing edit={edit} />
      <BackfillFields edit={edit} />
      <Section
        title="Blocking"
        description="In this ad space, besides what exchange, publisher and app or site block."
      >
        <BlockingFields value={draft} onChange={put} problems={problems} />
      </Section>
    </>
  );
}

function Prices({ edit: { draft, set, problems } }: FieldsProps) {
  return (
    <Section
      title="Price"
      description="The least that a bid has to bring, as a buyer pays it. Of the floors of publisher, app or site and ad space the highest holds; deals have prices of their own."
    >
      <FieldGrid>
        <PriceField
          label="Floor (USD CPM)"
          description="Everywhere, for every format."
          required
          value={draft.floor}
          onChange={(next) => set('floor', next ?? 0)}
          error={problems.at('/floor')}
        />
        <Select
          label="Auction"
          allowDeselect={false}
          data={[
            { value: 'second_price', label: 'Second price' },
            { value: 'first_price', label: 'First price' },
          ]}
          description={
            draft.auction === 'first_price'
              ? 'The winner pays what it bid.'
              : 'The winner pays just above the next bid, or the floor.'
          }
          value={draft.auction}
          onChange={(next) =>
            set('auction', next === 'first_price' ? 'first_price' : 'second_price')
          }
          error={problems.at('/auction')}
        />
      </FieldGrid>
      <FloorsField
        value={draft.floors}
        onChange={(next) => set('floors', next)}
        problems={problems}
      />
    </Section>
  );
}

/** What is in bid requests as it stands here. */
const DETAILS: readonly Setting[] = [
  { key: 'pos', label: 'Position', kind: 'listed', list: AD_POSITIONS },
  {
    key: 'viewability',
    label: 'Viewability',
    help: 'The share of impressions that are seen; sent to bidders that asked for it.',
    kind: 'percent',
  },
  {
    key: 'exp',
    label: 'Shown within (exp)',
    help: 'From the auction to the impression.',
    kind: 'number',
    unit: 'seconds',
  },
  {
    key: 'iframebusters',
    label: 'Iframe busters',
    help: 'Names of those that the page supports.',
    kind: 'tags',
  },
];

function Details({ edit }: FieldsProps) {
  return (
    <Section title="What bid requests say">
      <FieldGrid>
        <SettingFields settings={DETAILS} edit={edit} />
      </FieldGrid>
    </Section>
  );
}

const NEW_REFRESH = { min_seconds: 30, max_per_page: null };

function Refreshing({ edit: { draft, set, problems } }: FieldsProps) {
  const { refresh } = draft;
  return (
    <Section
      title="Refresh"
      description="How often tags may ask for another ad on one page."
      beside={
        <Switch
          label="Limit refreshing"
          checked={refresh !== null}
          onChange={({ currentTarget }) =>
            set('refresh', currentTarget.checked ? NEW_REFRESH : null)
          }
        />
      }
    >
      {refresh !== null && (
        <FieldGrid>
          <NumberField
            label="At least between two ads"
            suffix=" s"
            required
            value={refresh.min_seconds}
            onChange={(next) => set('refresh', { ...refresh, min_seconds: next ?? 0 })}
            error={problems.at('/refresh/min_seconds')}
          />
          <NumberField
            label="At most after the first"
            description="Refreshes while the page is open; 0 for none."
            placeholder="Any number"
            value={refresh.max_per_page ?? null}
            onChange={(next) => set('refresh', { ...refresh, max_per_page: next })}
            error={problems.at('/refresh/max_per_page')}
          />
        </FieldGrid>
      )}
    </Section>
  );
}

function BackfillFields({ edit: { draft, set, problems } }: FieldsProps) {
  const { backfill, banner, video, native } = draft;
  const setPart = (key: keyof BackfillDraft, text: string): void => {
    const next = { ...backfill, [key]: text === '' ? undefined : text };
    const isNothing = [next.banner, next.video, next.native].every(
      (each) => each === undefined || each === null,
    );
    set('backfill', isNothing ? null : next);
  };
  return (
    <Section
      title="Backfill"
      description="What a tag shows when no bid won. It is not counted as a sale, and everything in it must load over HTTPS."
    >
      <FieldGrid>
        {(banner !== null || (backfill?.banner ?? null) !== null) && (
          <Textarea
            label="HTML of a banner"
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            value={backfill?.banner ?? ''}
            onChange={({ currentTarget }) => setPart('banner', currentTarget.value)}
            error={problems.at('/backfill/banner')}
          />
        )}
        {(video !== null || (backfill?.video ?? null) !== null) && (
          <TextInput
            label="Address of a VAST tag"
            placeholder="https://"
            value={backfill?.video ?? ''}
            onChange={({ currentTarget }) => setPart('video', currentTarget.value)}
            error={problems.at('/backfill/video')}
          />
        )}
        {(native !== null || (backfill?.native ?? null) !== null) && (
          <Textarea
            label="JSON of a native ad"
            description="With the assets that the ad space asks for."
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            value={backfill?.native ?? ''}
            onChange={({ currentTarget }) => setPart('native', currentTarget.value)}
            error={problems.at('/backfill/native')}
          />
        )}
      </FieldGrid>
    </Section>
  );
}
