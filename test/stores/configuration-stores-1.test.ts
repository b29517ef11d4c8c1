import { testOnPostgres } from '../support/on-postgres.ts';

await testOnPostgres({ part: 1, of: 4 });
