import { SettingField } from './setting-field.tsx';
import { shownOf, type Setting } from './setting.ts';
import type { Edit } from './use-edit.ts';

interface SettingFieldsProps {
  readonly settings: readonly Setting[];
  readonly edit: Pick<Edit<object>, 'draft' | 'put' | 'problems'>;
}

/** The fields of some settings, those that make sense beside what is typed. */
export function SettingFields({ settings, edit: { draft, put, problems } }: SettingFieldsProps) {
  const shown = shownOf(draft);
  return settings
    .filter(({ isShown }) => isShown?.(shown) !== false)
    .map((setting) => (
      <SettingField
        key={setting.key}
        setting={setting}
        value={shown[setting.key]}
        problems={problems}
        onChange={(value) =>
          put({ [setting.key]: value === '' && setting.isRequired !== true ? null : value })
        }
      />
    ));
}
