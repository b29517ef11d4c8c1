import { Checkbox, NumberInput, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { FieldProblems } from '../parts/forms/field-problems.ts';
import { Section } from '../parts/forms/section.tsx';
import type { BidderDraft } from './bidder-draft.ts';

export interface BidderFieldsProps {
  readonly draft: BidderDraft;
  readonly edit: (change: Partial<BidderDraft>) => void;
  readonly problems: FieldProblems;
}

/** Where bid requests go, and how long an answer may take. */
export function CallFields({ draft, edit, problems }: BidderFieldsProps) {
  return (
    <Section title="Endpoint">
      <TextInput
        label="Endpoint"
        description="An https address that takes bid requests by POST"
        placeholder="https://bidder.example/bid"
        inputMode="url"
        spellCheck={false}
        value={draft.endpoint}
        error={problems.at('/endpoint')}
        onChange={({ currentTarget }) => edit({ endpoint: currentTarget.value })}
        withAsterisk
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="OpenRTB version"
          description="What bid requests are written in"
          data={['2.6', '2.5', '2.2']}
          allowDeselect={false}
          value={draft.openrtb_version}
          error={problems.at('/openrtb_version')}
          onChange={(value) => edit({ openrtb_version: value ?? '2.5' })}
        />
        <Amount
          label="Timeout (ms)"
          description="Its answer counts within this, if the auction leaves as much"
          placeholder="200"
          value={draft.timeout_ms}
          max={10_000}
          error={problems.at('/timeout_ms')}
          onChange={(timeout_ms) => edit({ timeout_ms })}
        />
      </SimpleGrid>
    </Section>
  );
}

/** How much is sent. */
export function LimitFields({ draft, edit, problems }: BidderFieldsProps) {
  return (
    <Section title="Limits">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Amount
          label="Bid requests a second (QPS)"
          description="Across all exchange processes; empty for no limit"
          placeholder="no limit"
          value={draft.max_qps}
          max={10_000_000}
          error={problems.at('/max_qps')}
          onChange={(max_qps) => edit({ max_qps })}
        />
        <Amount
          label="Open bid requests"
          description="At a time, by exchange process; empty is 512"
          placeholder="512"
          value={draft.max_concurrency}
          max={512}
          error={problems.at('/max_concurrency')}
          onChange={(max_concurrency) => edit({ max_concurrency })}
        />
      </SimpleGrid>
    </Section>
  );
}

/** What stands in bid requests, and how they are sent. */
export function RequestFields({ draft, edit, problems }: BidderFieldsProps) {
  return (
    <Section title="Bid requests">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Flag
          label="Send floors"
          description="imp.bidfloor; without it a bid below the floor still loses"
          checked={draft.send_bidfloor}
          error={problems.at('/send_bidfloor')}
          onChange={(send_bidfloor) => edit({ send_bidfloor })}
        />
        <Flag
          label="Compress with gzip"
          description="The bid request comes with Content-Encoding: gzip"
          checked={draft.gzip}
          error={problems.at('/gzip')}
          onChange={(gzip) => edit({ gzip })}
        />
        <Flag
          label="Send viewability"
          description="imp.metric, as far as the ad space has figures"
          checked={draft.send_viewability}
          error={problems.at('/send_viewability')}
          onChange={(send_viewability) => edit({ send_viewability })}
        />
        <Flag
          label="Native in ext"
          description="imp.ext.native in OpenRTB 2.2, which has no imp.native"
          checked={draft.native_in_ext}
          error={problems.at('/native_in_ext')}
          onChange={(native_in_ext) => edit({ native_in_ext })}
        />
        <Select
          label="Interstitials of several formats"
          description="One impression with all formats, or a pair of impressions"
          data={[
            { value: 'one', label: 'one impression' },
            { value: 'pair', label: 'a pair of impressions' },
          ]}
          allowDeselect={false}
          value={draft.interstitial_imps}
          error={problems.at('/interstitial_imps')}
          onChange={(value) => edit({ interstitial_imps: value === 'pair' ? 'pair' : 'one' })}
        />
        <TagsInput
          label="MIME types"
          description="Content types that creatives may have; empty is what the ad space allows"
          placeholder={draft.mimes.length === 0 ? 'image/png, video/mp4' : ''}
          value={[...draft.mimes]}
          error={problems.at('/mimes')}
          onChange={(mimes) => edit({ mimes })}
          clearable
          maxTags={50}
          splitChars={[',', ' ']}
          acceptValueOnBlur
        />
      </SimpleGrid>
    </Section>
  );
}

/** Consent, and the matching of users. */
export function MatchingFields({ draft, edit, problems }: BidderFieldsProps) {
  return (
    <Section title="Privacy and user matching">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Amount
          label="Vendor id (IAB global vendor list)"
          description="Without it no bid requests come from where GDPR applies"
          placeholder="none"
          value={draft.gvl_id}
          isId
          max={65_535}
          error={problems.at('/gvl_id')}
          onChange={(gvl_id) => edit({ gvl_id })}
        />
        <Select
          label="User matching opens"
          description="How a page loads the address of user matching"
          data={['image', 'iframe']}
          allowDeselect={false}
          value={draft.sync_type}
          error={problems.at('/sync_type')}
          onChange={(value) => edit({ sync_type: value === 'iframe' ? 'iframe' : 'image' })}
        />
      </SimpleGrid>
      <TextInput
        label="Address of user matching"
        description="Its path or query may have macros such as ${REDIRECT}; empty is no matching"
        placeholder="https://match.bidder.example/sync?to=${REDIRECT}"
        inputMode="url"
        spellCheck={false}
        value={draft.sync_url}
        error={problems.at('/sync_url')}
        onChange={({ currentTarget }) => edit({ sync_url: currentTarget.value })}
      />
    </Section>
  );
}

interface AmountProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: number | null;
  readonly max: number;
  /** A number that names something: its digits are not grouped. */
  readonly isId?: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: number | null) => void;
}

function Amount({ value, max, isId = false, onChange, ...field }: AmountProps) {
  return (
    <NumberInput
      {...field}
      value={value ?? ''}
      min={1}
      max={max}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator={isId ? '' : ','}
      onChange={(typed) => onChange(typed === '' ? null : Number(typed))}
    />
  );
}

interface FlagProps {
  readonly label: string;
  readonly description: string;
  readonly checked: boolean;
  readonly error: string | undefined;
  readonly onChange: (checked: boolean) => void;
}

function Flag({ onChange, ...field }: FlagProps) {
  return <Checkbox {...field} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}
