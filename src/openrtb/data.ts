import type { Static } from 'typebox';
import { advisory, array, ext, object, optional, text } from './fields.ts';
import { filled, requested, unsent } from './filling.ts';

/** Segment, section 2.19. */
export const SegmentSchema = filled(
  object(
    'One piece of data.',
    {
      id: optional(text('Id of the segment.')),
      name: optional(text('Name of the segment.')),
      value: optional(text('Value of the segment.')),
      ext: ext(),
    },
    [],
    advisory('id', 'name', 'value'),
  ),
  {
    id: requested(),
    name: requested(),
    value: requested(),
    ext: unsent(),
  },
);
export type Segment = Static<typeof SegmentSchema>;

/** Data, section 2.19: segments of one data provider. */
export const DataSchema = filled(
  object(
    'Data of one provider.',
    {
      id: optional(text('Id of the data provider.')),
      name: optional(text('Name of the data provider.')),
      segment: optional(array(SegmentSchema, 'The segments.')),
      ext: ext(),
    },
    [],
    advisory('id', 'name', 'segment'),
  ),
  {
    id: requested(),
    name: requested(),
    segment: requested(),
    ext: unsent(),
  },
);
export type Data = Static<typeof DataSchema>;
