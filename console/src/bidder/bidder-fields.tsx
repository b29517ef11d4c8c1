import { SettingFields } from '../parts/forms/setting-fields.tsx';
import type { SettingGroup } from '../parts/forms/setting.ts';
import { FieldGrid, Section } from '../parts/forms/section.tsx';
import type { Edit } from '../parts/forms/use-edit.ts';
import type { BidderDraft } from './bidder-draft.ts';

/** Where bid requests go, and how long an answer may take. */
export const ENDPOINT: SettingGroup = {
  title: 'Endpoint',
  settings: [
    {
      key: 'endpoint',
      label: 'Endpoint',
      help: 'An https address that takes bid requests by POST',
      placeholder: 'https://bidder.example/bid',
      kind: 'text',
      isRequired: true,
    },
    {
      key: 'openrtb_version',
      label: 'OpenRTB version',
      help: 'What bid requests are written in',
      kind: 'choice',
      choices: ['2.6', '2.5', '2.2'].map((value) => ({ value, label: value })),
    },
    {
      key: 'timeout_ms',
      label: 'Timeout (ms)',
      help: 'Its answer counts within this, if the auction leaves as much',
      placeholder: '200',
      kind: 'number',
    },
  ],
};

/** How much is sent. */
const LIMITS: SettingGroup = {
  title: 'Limits',
  settings: [
    {
      key: 'max_qps',
      label: 'Bid requests a second (QPS)',
      help: 'Across all exchange processes; empty for no limit',
      placeholder: 'no limit',
      kind: 'number',
    },
    {
      key: 'max_concurrency',
      label: 'Open bid requests',
      help: 'At a time, by exchange process; empty is 512',
      placeholder: '512',
      kind: 'number',
    },
  ],
};

/** What stands in bid requests, and how they are sent. */
const REQUESTS: SettingGroup = {
  title: 'Bid requests',
  settings: [
    {
      key: 'send_bidfloor',
      label: 'Send floors',
      help: 'imp.bidfloor; without it a bid below the floor still loses',
      kind: 'switch',
    },
    {
      key: 'gzip',
      label: 'Compress with gzip',
      help: 'The bid request comes with Content-Encoding: gzip',
      kind: 'switch',
    },
    {
      key: 'send_viewability',
      label: 'Send viewability',
      help: 'imp.metric, as far as the ad space has figures',
      kind: 'switch',
    },
    {
      key: 'native_in_ext',
      label: 'Native in ext',
      help: 'imp.ext.native in OpenRTB 2.2, which has no imp.native',
      kind: 'switch',
    },
    {
      key: 'interstitial_imps',
      label: 'Interstitials of several formats',
      help: 'One impression with all formats, or a pair of impressions',
      kind: 'choice',
      choices: [
        { value: 'one', label: 'one impression' },
        { value: 'pair', label: 'a pair of impressions' },
      ],
    },
    {
      key: 'mimes',
      label: 'MIME types',
      help: 'Content types that creatives may have; empty is what the ad space allows',
      placeholder: 'image/png, video/mp4',
      kind: 'tags',
    },
  ],
};

/** Consent, and the matching of users. */
const MATCHING: SettingGroup = {
  title: 'Privacy and user matching',
  settings: [
    {
      key: 'gvl_id',
      label: 'Vendor id (IAB global vendor list)',
      help: 'Without it no bid requests come from where GDPR applies',
      placeholder: 'none',
      kind: 'number',
      isId: true,
    },
    {
      key: 'sync_type',
      label: 'User matching opens',
      help: 'How a page loads the address of user matching',
      kind: 'choice',
      choices: ['image', 'iframe'].map((value) => ({ value, label: value })),
    },
    {
      key: 'sync_url',
      label: 'Address of user matching',
      help: 'Its path or query may have macros such as ${REDIRECT}; empty is no matching',
      placeholder: 'https://match.bidder.example/sync?to=${REDIRECT}',
      kind: 'text',
    },
  ],
};

/** What stands below the headers. */
export const REST: readonly SettingGroup[] = [LIMITS, REQUESTS, MATCHING];

interface BidderFieldsProps {
  readonly group: SettingGroup;
  readonly edit: Edit<BidderDraft>;
}

/** A part of the settings of a bidder. */
export function BidderFields({ group: { title, settings }, edit }: BidderFieldsProps) {
  return (
    <Section title={title}>
      <FieldGrid>
        <SettingFields settings={settings} edit={edit} />
      </FieldGrid>
    </Section>
  );
}
