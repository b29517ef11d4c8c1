import type { Static } from 'typebox';
import { advisory, array, ext, object, optional, text, texts } from './fields.ts';
import { requested } from './filling.ts';
import { since } from './variations.ts';

/** Segment, section 2.19. */
export const SegmentSchema = object('One piece of data.', {
  id: optional(text('Id of the segment.'), advisory, requested()),
  name: optional(text('Name of the segment.'), advisory, requested()),
  value: optional(text('Value of the segment.'), advisory, requested()),
  ext: ext(),
});
export type Segment = Static<typeof SegmentSchema>;

/** Data, section 2.19: segments of one data provider. */
export const DataSchema = object('Data of one provider.', {
  id: optional(text('Id of the data provider.'), advisory, requested()),
  name: optional(text('Name of the data provider.'), advisory, requested()),
  cids: optional(texts('Ids of the content.'), advisory, since('2.6'), requested()),
  segment: optional(array(SegmentSchema, 'The segments.'), advisory, requested()),
  ext: ext(),
});
export type Data = Static<typeof DataSchema>;
