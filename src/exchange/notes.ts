import { jsonPointer, type Problem } from '../base/problem.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Slot } from './slots.ts';

/** What of a valid request was left out, and why: the publisher is told with its answer. */
export function notesOf({
  request,
  slots,
}: {
  readonly request: IncomingRequest;
  readonly slots: readonly Slot[];
}): Problem[] {
  const notes: Problem[] = [];
  for (const [index, { banner, video, native }] of request.imp.entries()) {
    if (banner !== undefined || video !== undefined || native !== undefined) continue;
    const message = 'Audio is not sold here; this impression was left out.';
    notes.push({ pointer: jsonPointer('imp', index), message });
  }
  for (const { native } of slots) if (native !== null) notes.push(...native.leftOut);
  return notes;
}
