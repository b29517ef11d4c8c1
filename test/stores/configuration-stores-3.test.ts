import { testOnPostgres } from '../support/on-postgres.ts';

await testOnPostgres({ part: 3, of: 4 });
