import { array, ext, object, optional, text } from './fields.ts';

/** Segment, section 2.19. */
export const SegmentSchema = object('One piece of data.', {
  id: optional(text('Id of the segment.')),
  name: optional(text('Name of the segment.')),
  value: optional(text('Value of the segment.')),
  ext: ext(),
});

/** Data, section 2.19: segments of one data provider. */
export const DataSchema = object('Data of one provider.', {
  id: optional(text('Id of the data provider.')),
  name: optional(text('Name of the data provider.')),
  segment: optional(array(SegmentSchema, 'The segments.')),
  ext: ext(),
});
