import { AnalyticsStoreError } from '../ports/analytics-store.ts';

/**
 * The errors by which ClickHouse says that the records themselves are wrong, which no repetition
 * changes. They come before anything is written, since a batch is one block. Every other error may
 * pass, and the batch is tried again.
 */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [6, 'CANNOT_PARSE_TEXT'],
  [25, 'CANNOT_PARSE_ESCAPE_SEQUENCE'],
  [26, 'CANNOT_PARSE_QUOTED_STRING'],
  [27, 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  [33, 'CANNOT_READ_ALL_DATA'],
  [53, 'TYPE_MISMATCH'],
  [69, 'ARGUMENT_OUT_OF_BOUND'],
  [72, 'CANNOT_PARSE_NUMBER'],
  [117, 'INCORRECT_DATA'],
  [128, 'TOO_LARGE_ARRAY_SIZE'],
  [130, 'CANNOT_READ_ARRAY_FROM_TEXT'],
  [131, 'TOO_LARGE_STRING_SIZE'],
  [321, 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE'],
  [349, 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN'],
  [469, 'VIOLATED_CONSTRAINT'],
]);

/** Long enough for ClickHouse to say which row and column, and no dump of the record. */
const REASON_LENGTH_MAX = 1000;

/** Why the records are refused for good, or null where the failure may pass. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof AnalyticsStoreError) || error.code === null) return null;
  const name = REFUSALS.get(error.code);
  if (name === undefined) return null;
  return `${name}: ${error.message}`.slice(0, REASON_LENGTH_MAX);
}
