import { GppModel } from '@iabgpp/cmpapi';

/** Fields of a section as the IAB names them, such as `SaleOptOut`. */
export type SectionFields = Readonly<Record<string, number | boolean | string | readonly number[]>>;

/** A GPP string, written by the IAB's own library: by a section's name, such as `usnat`, its fields. */
export function gppString(sections: Readonly<Record<string, SectionFields>>): string {
  const model = new GppModel();
  for (const [section, fields] of Object.entries(sections)) {
    for (const [name, value] of Object.entries(fields)) model.setFieldValue(section, name, value);
  }
  return model.encode();
}
