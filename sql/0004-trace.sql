-- The records of the trace stream as they were written: what a person reads of one auction, and what
-- it can be decided from anew (src/events/trace-record.ts). A line is kept as text, because nobody
-- asks for its parts across auctions; beside it stands what it is found by. Kinds that need more get
-- a view of their own.
--
-- Auction ids begin with their time, so that a batch arrives nearly in the order of the table, and a
-- reader who has an id opens one partition and one granule. Everything is kept for seven whole days
-- at least.
CREATE TABLE IF NOT EXISTS trace
(
    line String CODEC(ZSTD(3)),
    -- The line is parsed once: the columns below are parts of this one, which is not stored.
    head Tuple(
        kind String,
        auction_id String,
        at_ms UInt64,
        publisher_id UInt64,
        demand_partner_ids Array(UInt64))
        EPHEMERAL JSONExtract(line, 'Tuple(kind String, auction_id String, at_ms UInt64, publisher_id UInt64, demand_partner_ids Array(UInt64))'),
    kind LowCardinality(String) MATERIALIZED tupleElement(head, 'kind'),
    auction_id String MATERIALIZED tupleElement(head, 'auction_id'),
    at_ms UInt64 MATERIALIZED tupleElement(head, 'at_ms'),
    publisher_id UInt64 MATERIALIZED tupleElement(head, 'publisher_id'),
    demand_partner_ids Array(UInt64) MATERIALIZED tupleElement(head, 'demand_partner_ids'),
    at DateTime64(3, 'UTC') MATERIALIZED fromUnixTimestamp64Milli(toInt64(at_ms), 'UTC'),
    date Date MATERIALIZED toDate(at),
    -- A line that is no JSON has no kind and no time.
    CONSTRAINT kind_is_known CHECK kind IN ('trace', 'creative'),
    CONSTRAINT time_is_plausible CHECK at_ms BETWEEN 1704067200000 AND 4102444799999,
    CONSTRAINT identity_is_there CHECK publisher_id > 0 AND (kind != 'trace' OR auction_id != '')
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (auction_id, at_ms)
TTL date + INTERVAL 8 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;
