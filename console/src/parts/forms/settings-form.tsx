import { Stack } from '@mantine/core';
import { BlockingFields } from './blocking-fields.tsx';
import { patchOf } from './changes.ts';
import { EditForm } from './edit-form.tsx';
import { Section } from './section.tsx';
import { useEditOf } from './use-edit.ts';
import { SettingFields } from './setting-fields.tsx';
import {
  bodyOf,
  numbersIn,
  shownOf,
  textsIn,
  type Setting,
  type SettingGroup,
  type Shown,
} from './setting.ts';

interface SettingsFormProps {
  readonly groups: readonly SettingGroup[];
  /** Whether it has the lists of what is not to be shown, as the exchange and publishers do. */
  readonly hasBlocking?: boolean;
  /** The resource, or for a new one the collection. */
  readonly path: string;
  readonly method: 'PATCH' | 'POST';
  /** As it is; for a new one what it gets if nothing is said. */
  readonly resource: object;
  readonly etag: string | null;
  /** On the button of what is new: `Create the deal`. */
  readonly making?: string;
  readonly onSaved: (made: Shown) => void;
  /** Where somebody goes who makes nothing. */
  readonly cancelTo?: string;
}

/** Of what was ever changed. */
function changedAtOf(resource: object): string | undefined {
  const at = shownOf(resource)['updated_at'];
  return typeof at === 'string' ? at : undefined;
}

const BLOCKING: readonly Setting[] = [
  { key: 'blocked_categories', label: 'Blocked categories', kind: 'categories' },
  { key: 'blocked_advertisers', label: 'Blocked advertisers', kind: 'lines' },
  { key: 'blocked_apps', label: 'Blocked apps', kind: 'lines' },
  { key: 'blocked_attributes', label: 'Blocked creative attributes', kind: 'tags' },
];

/** Edits a resource, or makes one, by a list of its settings. */
export function SettingsForm(props: SettingsFormProps) {
  const { groups, hasBlocking = false, path, method, resource, etag } = props;
  const settings = [...groups.flatMap((group) => group.settings), ...(hasBlocking ? BLOCKING : [])];
  const edit = useEditOf<Shown, Shown>(
    {
      draftOf: shownOf,
      bodyOf: (draft) => {
        const body = bodyOf(settings, draft);
        // Of a new one only what was chosen is sent: the server knows the rest.
        return method === 'PATCH' ? body : patchOf(bodyOf(settings, shownOf(resource)), body);
      },
      wordsOf: (draft) => {
        const body = bodyOf(settings, draft);
        return Object.fromEntries(settings.map(({ key, label }) => [label, body[key]]));
      },
    },
    { start: shownOf(resource), etag, path, method, onSaved: props.onSaved },
  );
  const { draft, put, problems } = edit;
  return (
    <EditForm
      edit={edit}
      label={groups[0]?.title ?? ''}
      making={props.making}
      changedAt={changedAtOf(resource)}
      cancelTo={props.cancelTo}
    >
      {groups.map(({ title, description, settings: own }) => (
        <Section key={title} title={title} description={description}>
          <Stack gap="md" maw={720}>
            <SettingFields settings={own} edit={edit} />
          </Stack>
        </Section>
      ))}
      {hasBlocking && (
        <Section title="Blocking" description="Bids with any of this lose.">
          <BlockingFields
            value={{
              blocked_categories: textsIn(draft['blocked_categories']),
              blocked_advertisers: textsIn(draft['blocked_advertisers']),
              blocked_apps: textsIn(draft['blocked_apps']),
              blocked_attributes: numbersIn(draft['blocked_attributes']),
            }}
            onChange={put}
            problems={problems}
          />
        </Section>
      )}
    </EditForm>
  );
}
