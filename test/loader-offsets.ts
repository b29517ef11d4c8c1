import { DatabaseSync } from 'node:sqlite';

import { Decode } from 'typebox/value';

import { BatchManifestSchema } from '../src/ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../src/ports/offset-store.ts';

/** The port on a SQLite file: what the configuration store does, as small as it can be. */
export function openOffsets(path: string): OffsetStore & { close(): void } {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS segment_offsets (
      incarnation TEXT NOT NULL, segment TEXT NOT NULL, offset_bytes INTEGER NOT NULL,
      PRIMARY KEY (incarnation, segment));
    CREATE TABLE IF NOT EXISTS pending_batches (
      incarnation TEXT PRIMARY KEY, token TEXT NOT NULL, manifest TEXT NOT NULL);
  `);
  const pendingOf = (rows: Record<string, unknown>[]): PendingBatch[] =>
    rows.map(({ token, manifest }) => ({
      token: String(token),
      manifest: Decode(BatchManifestSchema, JSON.parse(String(manifest))),
    }));
  return {
    close: () => db.close(),
    read: (incarnation) => {
      const rows = db.prepare('SELECT * FROM segment_offsets WHERE incarnation = ?');
      const pending = db.prepare('SELECT * FROM pending_batches WHERE incarnation = ?');
      const [first = null] = pendingOf(pending.all(incarnation));
      const offsets = rows
        .all(incarnation)
        .map((row) => [String(row['segment']), Number(row['offset_bytes'])] as const);
      return Promise.resolve({ offsets: new Map(offsets), pending: first });
    },
    begin: ({ token, manifest }) => {
      db.prepare(
        `INSERT INTO pending_batches (incarnation, token, manifest) VALUES (?, ?, ?)
         ON CONFLICT (incarnation) DO UPDATE SET token = excluded.token
         WHERE token = excluded.token`,
      ).run(manifest.incarnation, token, JSON.stringify(manifest));
      return Promise.resolve();
    },
    commit: (incarnation, ranges) => {
      db.exec('BEGIN IMMEDIATE');
      const upsert = db.prepare(
        `INSERT INTO segment_offsets (incarnation, segment, offset_bytes) VALUES (?, ?, ?)
         ON CONFLICT (incarnation, segment) DO UPDATE SET offset_bytes = excluded.offset_bytes`,
      );
      for (const { segment, end } of ranges) upsert.run(incarnation, segment, end);
      db.prepare('DELETE FROM pending_batches WHERE incarnation = ?').run(incarnation);
      db.exec('COMMIT');
      return Promise.resolve();
    },
    pending: () => Promise.resolve(pendingOf(db.prepare('SELECT * FROM pending_batches').all())),
  };
}
