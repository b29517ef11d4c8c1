import { jsonPointer, type Problem } from '../base/problem.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';

/** What of a valid request was left out, and why: the publisher is told with its answer. */
export function notesOf({ request }: { readonly request: IncomingRequest }): Problem[] {
  const notes: Problem[] = [];
  for (const [index, { banner, video, native }] of request.imp.entries()) {
    if (banner !== undefined || video !== undefined || native !== undefined) continue;
    const message = 'Audio is not sold here; this impression was left out.';
    notes.push({ pointer: jsonPointer('imp', index), message });
  }
  return notes;
}
