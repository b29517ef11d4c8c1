import { testOnPostgres } from '../support/on-postgres.ts';

await testOnPostgres({ part: 2, of: 4 });
