import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { TSchema, Static } from 'typebox';

import { dateOf } from '../analytics/dates.ts';
import {
  KeyedRowsSchema,
  StoreSideSchema,
  type RowsQuestion,
  type StoreQuestion,
} from '../analytics/reconcile-wire.ts';
import {
  MinutesSchema,
  RecordedPageSchema,
  type AuctionChoice,
  type PageQuestion,
} from '../analytics/recorded-wire.ts';
import { CommandError } from '../base/errors.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import type { OpenedStore } from './opened-store.ts';
import { findControl, type ControlClient, type ControlPlace } from './ask-control.ts';

export type StoreOptions = ControlPlace & StorePlace;

/**
 * Finds the store's side of a data directory.
 *
 * @throws CommandError when there is none, or control cannot be reached.
 */
export async function openReconcileStore(options: StoreOptions): Promise<OpenedStore> {
  const control = findControl(options);
  return control === null ? openStore(options) : askControl(control);
}

/** @throws CommandError when the directory holds none, or another process uses it. */
async function openStore(place: StorePlace): Promise<OpenedStore> {
  const { dataDirectory } = place;
  if (!existsSync(join(dataDirectory, 'analytics'))) {
    throw new CommandError(
      `No node runs on ${dataDirectory}, and it holds no analytics store: name the control of ` +
        'another node with --internal-url (RIALTO_INTERNAL_URL).',
      { exit: 'unreachable' },
    );
  }
  const { openLocalStore } = await import('./reconcile-local.ts');
  return openLocalStore(place, dateOf(Date.now()));
}

function askControl(control: ControlClient): OpenedStore {
  const ask = async <Schema extends TSchema>(
    path: string,
    question: StoreQuestion | RowsQuestion | AuctionChoice | PageQuestion,
    schema: Schema,
  ): Promise<Static<Schema>> => {
    const answer = await control.ask(path, question, schema);
    if (answer !== null) return answer;
    throw new CommandError('Control is of another version of Rialto, which does not answer this.');
  };
  return {
    isRunning: true,
    side: (question) => ask('/internal/reconcile', question, StoreSideSchema),
    rows: (question) => ask('/internal/reconcile/rows', question, KeyedRowsSchema),
    minutes: (choice) => ask('/internal/replay/minutes', choice, MinutesSchema),
    recordedPage: (question) => ask('/internal/replay', question, RecordedPageSchema),
    close: () => Promise.resolve(),
  };
}
