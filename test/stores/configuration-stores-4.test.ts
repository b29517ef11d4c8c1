import { testOnPostgres } from '../support/on-postgres.ts';

await testOnPostgres({ part: 4, of: 4 });
