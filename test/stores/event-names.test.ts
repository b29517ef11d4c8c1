import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypesFor } from '../../src/subscriptions/event-types.ts';
import { eventsFor } from '../../console/src/subscriptions/event-names.ts';

test('the console offers everybody the events that the API takes from them', () => {
  for (const role of ['operator', 'demand-partner', 'publisher'] as const) {
    const offered = eventsFor(role).map(([type]) => type);
    assert.deepEqual(offered.toSorted(), eventTypesFor(role).toSorted());
  }
});
