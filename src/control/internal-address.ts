import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { writeDurably } from '../courier/durable-file.ts';

const InternalAddressSchema = Type.Object({
  /** Process id of the supervisor whose control it is: another one's address is out of date. */
  supervisor: Type.Integer({ minimum: 1 }),
  /** Where the internal listener is reached from this machine. */
  url: Type.String(),
  /** Where the management API is, and the token that lets commands of this machine in. */
  api: Type.Object({ url: Type.String(), token: Type.String() }),
});

/** Where a running control is asked. */
export type InternalAddress = Static<typeof InternalAddressSchema>;

const addressValidator = Compile(InternalAddressSchema);

function addressPath(dataDirectory: string): string {
  return join(dataDirectory, 'control.json');
}

/** Tells commands on this data directory where to ask: the port is often a free one. */
export async function writeInternalAddress(
  dataDirectory: string,
  address: InternalAddress,
): Promise<void> {
  await writeDurably(addressPath(dataDirectory), `${JSON.stringify(address)}\n`);
}

/** Null where no control has said. A control that was killed leaves its address behind. */
export function readInternalAddress(dataDirectory: string): InternalAddress | null {
  try {
    const address: unknown = JSON.parse(readFileSync(addressPath(dataDirectory), 'utf8'));
    return addressValidator.Check(address) ? address : null;
  } catch {
    return null;
  }
}

export async function removeInternalAddress(dataDirectory: string): Promise<void> {
  await rm(addressPath(dataDirectory), { force: true });
}
