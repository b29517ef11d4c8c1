/** What OpenRTB 2.6 has for pods: several ads, one after the other (section 7.6). */
import {
  advisory,
  array,
  count,
  cpm,
  ext,
  listed,
  object,
  optional,
  recommended,
  text,
  type Mark,
} from './fields.ts';
import { unsent } from './filling.ts';
import { POD_SEQUENCES, SLOTS_IN_POD } from './later-lists.ts';
import { before, since } from './variations.ts';
import type { Surroundings } from './schema-node.ts';

/** DurFloors, OpenRTB 2.6 section 3.2.35. */
export const DurFloorsSchema = object('A floor by duration.', {
  mindur: optional(count('Shortest duration in seconds.'), unsent()),
  maxdur: optional(count('Longest duration in seconds.'), unsent()),
  bidfloor: optional(cpm('Minimum bid in USD CPM.', { default: 0 }), unsent()),
  ext: ext(),
});

/** A field of Video, Audio or Deal: floors that rise with the duration. */
export function durationFloors() {
  return optional(array(DurFloorsSchema, 'Floors by duration.'), advisory, since('2.6'), unsent());
}

/** A field of Video, Audio or Deal: the floor of a second. */
export function secondFloor() {
  return optional(cpm('Minimum bid in USD CPM of a second.'), advisory, since('2.6'), unsent());
}

/** The fields of Video and Audio that say which pod an impression belongs to, and what fits there. */
export const podFields = {
  poddur: optional(
    count('Seconds that the ads of a dynamic pod may fill.'),
    recommended,
    advisory,
    since('2.6'),
    unsent(),
  ),
  podid: optional(
    text('Pod of the impression; impressions of one pod share it.'),
    advisory,
    since('2.6'),
    unsent(),
  ),
  podseq: optional(
    listed(POD_SEQUENCES, 'Which pod of the content it is.', {
      default: 0,
      'x-outgoing': { minimum: -1 },
    }),
    advisory,
    since('2.6'),
    unsent(),
  ),
  slotinpod: optional(
    listed(SLOTS_IN_POD, SLOTS_IN_POD.title, { default: 0 }),
    advisory,
    since('2.6'),
    unsent(),
  ),
  rqddurs: optional(
    array(count('Seconds.'), 'The durations that are accepted, and no others.'),
    advisory,
    since('2.6'),
    unsent(),
  ),
  mincpmpersec: secondFloor(),
  durfloors: durationFloors(),
};

/** Shortest or longest duration: 2.6 may say the accepted ones instead, earlier versions need both. */
export function durationBound(
  schema: ReturnType<typeof count>,
  {
    earlier,
    ofAll,
  }: { readonly earlier: number; readonly ofAll: (...seconds: number[]) => number },
  ...marks: readonly Mark[]
) {
  const write = (seconds: unknown, { object: video }: Surroundings): unknown => {
    const exact = video['rqddurs'];
    return seconds ?? (Array.isArray(exact) ? ofAll(...exact) : earlier);
  };
  return optional(
    schema,
    ...marks,
    before('2.6', { isRequired: true, 'x-recommended': false, default: earlier, write }),
  );
}
