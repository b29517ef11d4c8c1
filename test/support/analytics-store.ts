import { cp } from 'node:fs/promises';
import { openChdb } from '../../src/adapters/chdb.ts';
import { migrateAnalytics } from '../../src/analytics/migrate.ts';
import { findTemplate, type TemplateRecipe } from './template.ts';

/** An analytics store, migrated and empty: its definitions take most of a second of a core. */
const EMPTY: TemplateRecipe = {
  name: 'analytics',
  sources: ['sql/*.sql', 'src/analytics/migrate.ts', 'src/adapters/chdb*.ts'],
  make: async (directory) => {
    const store = await openChdb({ directory });
    await migrateAnalytics(store);
    await store.close();
  },
};

/** Copies it to where no directory is; it is opened with `openChdb`. */
export async function copyAnalytics(directory: string): Promise<void> {
  // Tables lead to their files by relative links, which stay as they are.
  await cp(await findTemplate(EMPTY), directory, { recursive: true, verbatimSymlinks: true });
}
