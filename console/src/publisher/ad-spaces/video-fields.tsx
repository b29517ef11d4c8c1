import { Checkbox, Stack, Text, Title } from '@mantine/core';
import { API_FRAMEWORKS } from '../../../../src/openrtb/creative-lists.ts';
import {
  COMPANION_TYPES,
  DELIVERY_METHODS,
  PLAYBACK_ENDS,
  PLAYBACK_METHODS,
  START_DELAYS,
  VIDEO_LINEARITIES,
  VIDEO_PLACEMENTS,
} from '../../../../src/openrtb/video-lists.ts';
import type { FieldProblems } from '../../parts/forms/field-problems.ts';
import {
  AnswerField,
  ListedValueField,
  ListedValuesField,
} from '../../parts/forms/code-fields.tsx';
import { NumberField } from '../../parts/forms/number-field.tsx';
import { FieldGrid } from '../../parts/forms/section.tsx';
import { WordsField } from '../../parts/forms/words-field.tsx';
import type { VideoDraft } from './draft.ts';

interface VideoFieldsProps {
  readonly value: VideoDraft;
  readonly onChange: (value: VideoDraft) => void;
  readonly problems: FieldProblems;
}

interface GroupProps {
  readonly value: VideoDraft;
  readonly set: <Key extends keyof VideoDraft>(key: Key, value: VideoDraft[Key]) => void;
  readonly at: (key: keyof VideoDraft) => string | undefined;
}

/** The player; the names of OpenRTB's Video object stand in parentheses where they differ. */
export function VideoFields({ value, onChange, problems }: VideoFieldsProps) {
  const group: GroupProps = {
    value,
    set: (key, next) => onChange({ ...value, [key]: next }),
    at: (key) => problems.at(`/video/${key}`),
  };
  // Said of two fields together, such as the durations; else it stands beside its field.
  const isOfField = Object.keys(value).some((key) => problems.at(`/video/${key}`) !== undefined);
  const whole = isOfField ? undefined : problems.at('/video');
  return (
    <Stack gap="md">
      <Numbers {...group} />
      {whole !== undefined && (
        <Text size="sm" c="red" role="alert">
          {whole}
        </Text>
      )}
      <Title order={3}>Playback</Title>
      <Playback {...group} />
      <Title order={3}>Skipping</Title>
      <Skipping {...group} />
      <Title order={3}>Companion banners</Title>
      <Companions {...group} />
    </Stack>
  );
}

const NUMBERS = [
  { key: 'w', label: 'Width', suffix: ' px', required: true, placeholder: '' },
  { key: 'h', label: 'Height', suffix: ' px', required: true, placeholder: '' },
  { key: 'minduration', label: 'Shortest spot', suffix: ' s', required: false, placeholder: '5 s' },
  { key: 'maxduration', label: 'Longest spot', suffix: ' s', required: false, placeholder: '60 s' },
  {
    key: 'minbitrate',
    label: 'Lowest bit rate',
    suffix: ' kbps',
    required: false,
    placeholder: '250 kbps',
  },
  {
    key: 'maxbitrate',
    label: 'Highest bit rate',
    suffix: ' kbps',
    required: false,
    placeholder: '4000 kbps',
  },
] as const;

function Numbers({ value, set, at }: GroupProps) {
  return (
    <FieldGrid>
      {NUMBERS.map(({ key, ...rest }) => (
        <NumberField
          key={key}
          {...rest}
          value={value[key] ?? null}
          onChange={(next) => set(key, next ?? undefined)}
          error={at(key)}
        />
      ))}
    </FieldGrid>
  );
}

function Playback({ value, set, at }: GroupProps) {
  return (
    <FieldGrid>
      <ListedValueField
        label="Linearity"
        list={VIDEO_LINEARITIES}
        placeholder="1 Linear, in-stream"
        value={value.linearity ?? null}
        onChange={(next) => set('linearity', next ?? undefined)}
        error={at('linearity')}
      />
      <ListedValueField
        label="Placement"
        list={VIDEO_PLACEMENTS}
        value={value.placement ?? null}
        onChange={(next) => set('placement', next ?? undefined)}
        error={at('placement')}
      />
      <NumberField
        label="Start delay"
        description={`Seconds into the content; ${Object.entries(START_DELAYS.meanings)
          .map(([delay, meaning]) => `${delay} ${meaning.toLowerCase()}`)
          .join(', ')}.`}
        allowNegative
        placeholder="Not said"
        value={value.startdelay ?? null}
        onChange={(next) => set('startdelay', next ?? undefined)}
        error={at('startdelay')}
      />
      <ListedValuesField
        label="Playback methods"
        list={PLAYBACK_METHODS}
        value={value.playbackmethod ?? []}
        onChange={(next) => set('playbackmethod', next)}
        error={at('playbackmethod')}
      />
      <ListedValueField
        label="Playback ends"
        list={PLAYBACK_ENDS}
        value={value.playbackend ?? null}
        onChange={(next) => set('playbackend', next ?? undefined)}
        error={at('playbackend')}
      />
      <ListedValuesField
        label="Delivery methods"
        list={DELIVERY_METHODS}
        value={value.delivery ?? []}
        onChange={(next) => set('delivery', next)}
        error={at('delivery')}
      />
      <ListedValuesField
        label="API frameworks"
        list={API_FRAMEWORKS}
        value={value.api ?? []}
        onChange={(next) => set('api', next)}
        error={at('api')}
      />
      <AnswerField
        label="Letterboxing allowed (boxingallowed)"
        value={bitOf(value.boxingallowed)}
        onChange={(next) => set('boxingallowed', next ?? undefined)}
        error={at('boxingallowed')}
      />
      <Checkbox
        label="Outstream"
        description="The player stands in the page by itself, not in a video."
        checked={value.outstream ?? false}
        onChange={({ currentTarget }) => set('outstream', currentTarget.checked)}
        error={at('outstream')}
      />
    </FieldGrid>
  );
}

function Skipping({ value, set, at }: GroupProps) {
  return (
    <FieldGrid>
      <AnswerField
        label="Can be skipped"
        value={bitOf(value.skip)}
        onChange={(next) => set('skip', next ?? undefined)}
        error={at('skip')}
      />
      <NumberField
        label="Only spots longer than (skipmin)"
        suffix=" s"
        placeholder="Not said"
        value={value.skipmin ?? null}
        onChange={(next) => set('skipmin', next ?? undefined)}
        error={at('skipmin')}
      />
      <NumberField
        label="After (skipafter)"
        suffix=" s"
        placeholder="Not said"
        value={value.skipafter ?? null}
        onChange={(next) => set('skipafter', next ?? undefined)}
        error={at('skipafter')}
      />
      <NumberField
        label="Longest extension (maxextended)"
        description="Beyond the longest spot; -1 for no limit."
        suffix=" s"
        allowNegative
        placeholder="Not said"
        value={value.maxextended ?? null}
        onChange={(next) => set('maxextended', next ?? undefined)}
        error={at('maxextended')}
      />
    </FieldGrid>
  );
}

function Companions({ value, set, at }: GroupProps) {
  return (
    <FieldGrid>
      <WordsField
        label="Sizes"
        placeholder="Add a size"
        suggestions={['300x250', '728x90', '320x50']}
        value={value.companionad ?? []}
        onChange={(next) => set('companionad', next)}
        error={at('companionad')}
      />
      <ListedValuesField
        label="Companion types"
        list={COMPANION_TYPES}
        value={value.companiontype ?? []}
        onChange={(next) => set('companiontype', next)}
        error={at('companiontype')}
      />
      <AnswerField
        label="Shown (vcm)"
        no="Beside the video"
        yes="After the video"
        value={bitOf(value.vcm)}
        onChange={(next) => set('vcm', next ?? undefined)}
        error={at('vcm')}
      />
    </FieldGrid>
  );
}

function bitOf(value: number | null | undefined): 0 | 1 | null {
  return value === 0 || value === 1 ? value : null;
}
