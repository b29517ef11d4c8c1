import { DatabaseSync } from 'node:sqlite';

import { Decode } from 'typebox/value';

import { BatchManifestSchema, streamOf } from '../../src/ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../../src/ports/offset-store.ts';

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
      incarnation TEXT NOT NULL, stream TEXT NOT NULL, token TEXT NOT NULL, manifest TEXT NOT NULL,
      present TEXT, PRIMARY KEY (incarnation, stream));
  `);
  const pendingOf = (rows: Record<string, unknown>[]): PendingBatch[] =>
    rows.map(({ token, manifest, present }) => ({
      token: String(token),
      manifest: Decode(BatchManifestSchema, JSON.parse(String(manifest))),
      ...(typeof present === 'string' ? { present: JSON.parse(present) } : {}),
    }));
  return {
    close: () => {
      if (db.isOpen) db.close();
    },
    read: (incarnation, stream) => {
      const rows = db.prepare('SELECT * FROM segment_offsets WHERE incarnation = ?');
      const pending = db.prepare(
        'SELECT * FROM pending_batches WHERE incarnation = ? AND stream = ?',
      );
      const [first = null] = pendingOf(pending.all(incarnation, stream));
      const offsets = rows
        .all(incarnation)
        .map((row) => [String(row['segment']), Number(row['offset_bytes'])] as const);
      return Promise.resolve({ offsets: new Map(offsets), pending: first });
    },
    begin: ({ token, manifest, present }) => {
      db.prepare(
        `INSERT INTO pending_batches (incarnation, stream, token, manifest, present)
         VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (incarnation, stream) DO UPDATE SET token = excluded.token
         WHERE token = excluded.token`,
      ).run(
        manifest.incarnation,
        streamOf(manifest),
        token,
        JSON.stringify(manifest),
        present === undefined ? null : JSON.stringify(present),
      );
      return Promise.resolve();
    },
    commit: (manifest) => {
      const { incarnation, segments } = manifest;
      db.exec('BEGIN IMMEDIATE');
      const upsert = db.prepare(
        `INSERT INTO segment_offsets (incarnation, segment, offset_bytes) VALUES (?, ?, ?)
         ON CONFLICT (incarnation, segment) DO UPDATE SET offset_bytes = excluded.offset_bytes`,
      );
      for (const { segment, end } of segments) upsert.run(incarnation, segment, end);
      db.prepare('DELETE FROM pending_batches WHERE incarnation = ? AND stream = ?').run(
        incarnation,
        streamOf(manifest),
      );
      db.exec('COMMIT');
      return Promise.resolve();
    },
    abandon: ({ token, manifest }) => {
      db.prepare('DELETE FROM pending_batches WHERE incarnation = ? AND token = ?').run(
        manifest.incarnation,
        token,
      );
      return Promise.resolve();
    },
    pending: () => Promise.resolve(pendingOf(db.prepare('SELECT * FROM pending_batches').all())),
  };
}
