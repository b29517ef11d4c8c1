import { Checkbox, Switch } from '@mantine/core';
import { API_FRAMEWORKS } from '../../../../src/openrtb/creative-lists.ts';
import { ListedValuesField } from '../../parts/forms/code-fields.tsx';
import { FieldGrid, Section } from '../../parts/forms/section.tsx';
import type { Edit } from '../../parts/forms/use-edit.ts';
import { WordsField } from '../../parts/forms/words-field.tsx';
import { NEW_BANNER, NEW_NATIVE, NEW_VIDEO, type AdSpaceDraft } from './draft.ts';
import { NativeFields } from './native-fields.tsx';
import { VideoFields } from './video-fields.tsx';

const SIZES = [
  '300x250',
  '320x50',
  '728x90',
  '160x600',
  '300x600',
  '970x250',
  '320x100',
  '336x280',
  '320x480',
  '480x320',
];

/** The formats that an ad space takes: at least one of them. */
export function FormatFields({ edit }: { readonly edit: Edit<AdSpaceDraft> }) {
  const { draft, set, problems } = edit;
  const { banner, video, native } = draft;
  return (
    <>
      <Section
        title="Banner"
        beside={
          <FormatSwitch
            label="Takes banners"
            isOn={banner !== null}
            onChange={(isOn) => set('banner', isOn ? NEW_BANNER : null)}
          />
        }
      >
        {banner !== null && (
          <FieldGrid>
            <WordsField
              label="Sizes"
              description="In pixels; the first is used where a tag names none."
              placeholder="Add a size"
              required
              suggestions={SIZES}
              value={banner.sizes}
              onChange={(sizes) => set('banner', { ...banner, sizes })}
              error={problems.at('/banner/sizes')}
            />
            <ListedValuesField
              label="API frameworks"
              description="The APIs that the ad space supports."
              list={API_FRAMEWORKS}
              value={banner.api ?? []}
              onChange={(api) => set('banner', { ...banner, api })}
              error={problems.at('/banner/api')}
            />
          </FieldGrid>
        )}
      </Section>
      <Section
        title="Video"
        beside={
          <FormatSwitch
            label="Takes video"
            isOn={video !== null}
            onChange={(isOn) => set('video', isOn ? NEW_VIDEO : null)}
          />
        }
      >
        {video !== null && (
          <VideoFields value={video} onChange={(next) => set('video', next)} problems={problems} />
        )}
      </Section>
      <Section
        title="Native"
        beside={
          <FormatSwitch
            label="Takes native ads"
            isOn={native !== null}
            onChange={(isOn) => set('native', isOn ? NEW_NATIVE : null)}
          />
        }
      >
        {native !== null && (
          <NativeFields
            value={native}
            onChange={(next) => set('native', next)}
            problems={problems}
          />
        )}
      </Section>
      <Section title="Placement">
        <FieldGrid>
          <Checkbox
            label="Interstitial"
            description="Covers the whole screen (instl)."
            checked={draft.interstitial}
            onChange={({ currentTarget }) => set('interstitial', currentTarget.checked)}
            error={problems.at('/interstitial')}
          />
          <Checkbox
            label="Rewarded"
            description="Viewers get a reward for watching it."
            checked={draft.rewarded}
            onChange={({ currentTarget }) => set('rewarded', currentTarget.checked)}
            error={problems.at('/rewarded')}
          />
        </FieldGrid>
      </Section>
    </>
  );
}

interface FormatSwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function FormatSwitch({ label, isOn, onChange }: FormatSwitchProps) {
  return (
    <Switch
      label={label}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
