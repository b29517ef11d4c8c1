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
  ['max_threads', 1],
  ['max_insert_threads', 1],
  ['insert_deduplicate', 1],
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
  // The first trace is no header.
  ['input_format_tsv_detect_header', 0],
];

/** The columns of a raw table that its records give, and the format of `numberedBytes`. */
const FORMS: Readonly<Record<BatchStream, { readonly columns: string; readonly format: string }>> =
  {
    money: { columns: '', format: 'JSONEachRow' },
    trace: { columns: ' (load, line)', format: 'TabSeparatedRaw' },
  };

/**
 * The INSERT of these loads. Their numbers are the deduplication token as well: the same INSERT, should it
 * be repeated at once, is known.
 *
 * @param isOlder the records are of an older version: what came later is missing in them.
 */
export function insertSql(stream: BatchStream, loads: readonly number[], isOlder: boolean): string {
  const settings = [...settingsOf(isOlder), `insert_deduplication_token = '${loads.join(' ')}'`];
  return sqlOf(stream, stream, settings);
}

/** Inserts records as they would be into the raw table of their stream, into one of the same form. */
export function tryInsertSql(table: string, stream: BatchStream, isOlder: boolean): string {
  return sqlOf(table, stream, settingsOf(isOlder));
}

function sqlOf(table: string, stream: BatchStream, settings: readonly string[]): string {
  const { columns, format } = FORMS[stream];
  return `INSERT INTO ${table}${columns} SETTINGS ${settings.join(', ')} FORMAT ${format}`;
}

function settingsOf(isOlder: boolean): string[] {
  const missing = [MISSING_ELEMENTS_ARE_DEFAULTS, isOlder ? 1 : 0] as const;
  return [...SETTINGS, missing].map(([name, value]) => `${name} = ${value}`);
}

/** The result of a step is one block, in one order: what is repeated is known as a whole. */
const STEP_SETTINGS = [
  'async_insert = 0',
  // Many loads come together, each with its own days: a step that was noted has to be possible.
  'max_partitions_per_insert_block = 0',
  'max_threads = 1',
  'max_insert_threads = 1',
  'min_insert_block_size_rows = 1000000000',
  'min_insert_block_size_bytes = 0',
  'insert_deduplicate = 1',
  // By the token, whatever the engine thinks of the order: it takes none for stable but that by all columns.
  `deduplicate_insert_select = 'enable_even_for_bad_queries'`,
];

/** What a rollup is filled from in one step. */
export interface Step {
  readonly table: string;
  readonly columns: string;
  readonly select: string;
  readonly order: string;
  /** The raw table that is selected from, and its loads, both included. */
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

/** The INSERT of one step; the same loads have the same deduplication token. */
export function stepSql({ table, columns, select, order, source, first, last }: Step): string {
  const settings = [
    ...STEP_SETTINGS,
    `insert_deduplication_token = '${table} ${first} ${last}'`,
    `additional_table_filters = {'${source}': 'load BETWEEN ${first} AND ${last}'}`,
  ];
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${select})
    ORDER BY ${order} SETTINGS ${settings.join(', ')}`;
}

const MISSING_ELEMENTS_ARE_DEFAULTS =
  'input_format_json_defaults_for_missing_elements_in_named_tuple';
