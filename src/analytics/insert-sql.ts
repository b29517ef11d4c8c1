import type { BatchStream } from '../ports/batch.ts';

/**
 * What makes one batch one block, and a repeated one nothing. Every line is there for a trap that
 * `test/stores/loader-traps.test.ts` shows or that `docs/decisions/0009-analytics.md` tells of. The settings
 * stand in the SQL text, because beside it chdb would keep them for the session.
 */
const SETTINGS: readonly (readonly [string, number])[] = [
  // The server would collect blocks of several INSERTs into one; on by default since 26.3.
  ['async_insert', 0],
  // Days are partitions: an outage, or the demo's history, may bring many in one batch.
  ['max_partitions_per_insert_block', 400],
  // One thread parses the buffer into one block: several would make several blocks of it.
  ['input_format_parallel_parsing', 0],
  // Limits above any batch, so that none of them cuts the block: where a batch is several blocks, a
  // repetition may cut it elsewhere, and then its blocks are not known as duplicates.
  ['max_insert_block_size', 1_000_000_000],
  ['max_block_size', 1_000_000_000],
  ['min_insert_block_size_rows', 0],
  ['min_insert_block_size_bytes', 0],
  // The views' GROUP BY gives one block as well, in the same order each time.
  ['max_threads', 1],
  ['max_insert_threads', 1],
  ['group_by_two_level_threshold', 0],
  ['group_by_two_level_threshold_bytes', 0],
  // A repeated INSERT goes on to the views, and each of their tables judges for itself.
  ['insert_deduplicate', 1],
  ['deduplicate_blocks_in_dependent_materialized_views', 1],
  ['materialized_views_ignore_errors', 0],
  // What is not exactly a record is refused, not guessed at.
  ['input_format_skip_unknown_fields', 0],
  ['input_format_json_ignore_unknown_keys_in_named_tuple', 0],
  ['input_format_null_as_default', 0],
  ['input_format_json_read_bools_as_numbers', 0],
  ['input_format_json_read_bools_as_strings', 0],
  ['input_format_json_read_numbers_as_strings', 0],
  ['input_format_json_read_objects_as_strings', 0],
  ['input_format_json_read_arrays_as_strings', 0],
  // Half of a surrogate pair in a bidder's text is kept as written, not a reason to refuse all.
  ['input_format_json_throw_on_bad_escape_sequence', 0],
];

/**
 * The INSERT of one batch of money.
 *
 * @param token 64 hexadecimal digits.
 * @param isOlder the records are of an older version: what came later is missing in them.
 */
export function insertSql(token: string, isOlder: boolean): string {
  const settings = [...SETTINGS, [MISSING_ELEMENTS_ARE_DEFAULTS, isOlder ? 1 : 0] as const];
  return `INSERT INTO money ${settingsOf(settings, token)} FORMAT JSONEachRow`;
}

/** The INSERT of one batch of trace: its table takes a record as the line that it is. */
export function insertTraceSql(token: string): string {
  return `INSERT INTO trace (line) ${settingsOf(SETTINGS, token)} FORMAT LineAsString`;
}

/** Inserts records as they would be into the raw table of their stream, into one of the same form. */
export function tryInsertSql(table: string, stream: BatchStream, isOlder: boolean): string {
  const [columns, format] = stream === 'money' ? ['', 'JSONEachRow'] : [' (line)', 'LineAsString'];
  const settings = listed([...SETTINGS, [MISSING_ELEMENTS_ARE_DEFAULTS, isOlder ? 1 : 0]]);
  return `INSERT INTO ${table}${columns} SETTINGS ${settings.join(', ')} FORMAT ${format}`;
}

function settingsOf(all: typeof SETTINGS, token: string): string {
  if (!/^[0-9a-f]{64}$/.test(token)) throw new TypeError(`"${token}" is not a batch's token.`);
  const settings = listed(all);
  settings.push(`insert_deduplication_token = '${token}'`);
  return `SETTINGS ${settings.join(', ')}`;
}

function listed(settings: typeof SETTINGS): string[] {
  return settings.map(([name, value]) => `${name} = ${value}`);
}

const MISSING_ELEMENTS_ARE_DEFAULTS =
  'input_format_json_defaults_for_missing_elements_in_named_tuple';
