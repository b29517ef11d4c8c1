import { Stack } from '@mantine/core';
import { CREATIVE_ATTRIBUTES } from '../../../../src/openrtb/creative-lists.ts';
import type { FieldProblems } from './field-problems.ts';
import { CategoriesField, ListedValuesField } from './code-fields.tsx';
import { LinesField } from './lines-field.tsx';

/** What exchange, publisher, app, site and ad space can block alike. */
export interface Blocking {
  readonly blocked_categories: string[];
  readonly blocked_advertisers: string[];
  readonly blocked_apps: string[];
  readonly blocked_attributes: number[];
}

interface BlockingFieldsProps {
  readonly value: Blocking;
  readonly onChange: (part: Partial<Blocking>) => void;
  readonly problems: FieldProblems;
}

/** The lists of what is not to be shown; each goes to bidders under the name that OpenRTB gives it. */
export function BlockingFields({ value, onChange, problems }: BlockingFieldsProps) {
  return (
    <Stack gap="md">
      <CategoriesField
        label="Blocked categories (bcat)"
        description="A category blocks those below it as well."
        placeholder="Find by code or name"
        value={value.blocked_categories}
        onChange={(next) => onChange({ blocked_categories: next })}
        error={problems.at('/blocked_categories')}
      />
      <LinesField
        label="Blocked advertisers (badv)"
        description="Domains, one on each line. A domain blocks those below it as well."
        placeholder="rival.example"
        value={value.blocked_advertisers}
        onChange={(next) => onChange({ blocked_advertisers: next })}
        error={problems.at('/blocked_advertisers')}
      />
      <LinesField
        label="Blocked apps (bapp)"
        description="Package names and App Store ids of advertised apps, one on each line."
        placeholder="com.rival.app"
        value={value.blocked_apps}
        onChange={(next) => onChange({ blocked_apps: next })}
        error={problems.at('/blocked_apps')}
      />
      <ListedValuesField
        label="Blocked creative attributes (battr)"
        placeholder="Find by number or name"
        list={CREATIVE_ATTRIBUTES}
        value={value.blocked_attributes}
        onChange={(next) => onChange({ blocked_attributes: next })}
        error={problems.at('/blocked_attributes')}
      />
    </Stack>
  );
}
