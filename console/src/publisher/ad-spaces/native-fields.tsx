import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { NATIVE_CONTEXTS, NATIVE_CONTEXT_SUBTYPES } from '../../../../src/openrtb/native-lists.ts';
import type { FieldProblems } from '../../parts/forms/field-problems.ts';
import { ListedValueField } from '../../parts/forms/code-fields.tsx';
import { NumberField } from '../../parts/forms/number-field.tsx';
import { FieldGrid } from '../../parts/forms/section.tsx';
import { WordsField } from '../../parts/forms/words-field.tsx';
import type { NativeDraft } from './draft.ts';

interface NativeFieldsProps {
  readonly value: NativeDraft;
  readonly onChange: (value: NativeDraft) => void;
  readonly problems: FieldProblems;
}

const LENGTHS = [
  { key: 'title', label: 'Title' },
  { key: 'description', label: 'Description' },
  { key: 'cta', label: 'Call to action' },
] as const;

const IMAGES = [
  { key: 'icon', label: 'Icon, of this very size' },
  { key: 'icon_min', label: 'Icon, of at least this size' },
  { key: 'image', label: 'Image, of this very size' },
  { key: 'image_min', label: 'Image, of at least this size' },
] as const;

/** The assets that a native ad is asked for; what is empty is not asked for. */
export function NativeFields({ value, onChange, problems }: NativeFieldsProps) {
  const set = <Key extends keyof NativeDraft>(key: Key, next: NativeDraft[Key]): void =>
    onChange({ ...value, [key]: next });
  const whole = problems.at('/native') === undefined ? undefined : wholeFault(problems);
  return (
    <Stack gap="md">
      <FieldGrid>
        {LENGTHS.map(({ key, label }) => (
          <NumberField
            key={key}
            label={label}
            description="Maximum length in characters."
            placeholder="Not asked for"
            value={value[key] ?? null}
            onChange={(next) => set(key, next ?? undefined)}
            error={problems.at(`/native/${key}`)}
          />
        ))}
        {IMAGES.map(({ key, label }) => (
          <TextInput
            key={key}
            label={label}
            placeholder={key.startsWith('icon') ? '80x80' : '1200x627'}
            value={value[key] ?? ''}
            onChange={({ currentTarget }) => set(key, currentTarget.value || undefined)}
            error={problems.at(`/native/${key}`)}
          />
        ))}
        <WordsField
          label="Content types of images"
          description="Leave empty for all."
          suggestions={['image/jpeg', 'image/png', 'image/webp', 'image/gif']}
          value={value.image_mimes ?? []}
          onChange={(next) => set('image_mimes', next)}
          error={problems.at('/native/image_mimes')}
        />
        <ListedValueField
          label="Context"
          list={NATIVE_CONTEXTS}
          value={value.context ?? null}
          onChange={(next) => set('context', next ?? undefined)}
          error={problems.at('/native/context')}
        />
        <ListedValueField
          label="Context subtype"
          list={NATIVE_CONTEXT_SUBTYPES}
          value={value.contextsubtype ?? null}
          onChange={(next) => set('contextsubtype', next ?? undefined)}
          error={problems.at('/native/contextsubtype')}
        />
        <Checkbox
          label="Rating"
          description="Asks for the star rating of the product."
          checked={value.rating ?? false}
          onChange={({ currentTarget }) => set('rating', currentTarget.checked)}
          error={problems.at('/native/rating')}
        />
      </FieldGrid>
      {whole !== undefined && (
        <Text size="sm" c="red" role="alert">
          {whole}
        </Text>
      )}
    </Stack>
  );
}

/** What is said of the format as a whole, and not already beside one of its fields. */
function wholeFault(problems: FieldProblems): string | undefined {
  const isOfField = [...LENGTHS, ...IMAGES].some(
    ({ key }) => problems.at(`/native/${key}`) !== undefined,
  );
  return isOfField ? undefined : problems.at('/native');
}
