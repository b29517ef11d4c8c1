-- The records of the trace stream as they were written: what a person reads of one auction, and what
-- it can be decided from anew (src/events/trace-record.ts). A line is kept as text, because nobody
-- asks for its parts across auctions; beside it stands what it is found by. Kinds that need more get
-- a view of their own.
--
-- Auction ids begin with their time, so that a batch arrives nearly in the order of the table, and a
-- reader who has an id opens one partition and one granule. Everything is kept for seven whole days
-- at least. Loads and partitions are as in the raw table of money.
CREATE TABLE IF NOT EXISTS trace
(
    line String CODEC(ZSTD(3)),
    load UInt64,
    loaded Date MATERIALIZED toDate(now('UTC')),
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
    CONSTRAINT load_is_there CHECK load > 0,
    CONSTRAINT time_is_plausible CHECK at_ms BETWEEN 1704067200000 AND 4102444799999,
    CONSTRAINT identity_is_there CHECK publisher_id > 0 AND (kind != 'trace' OR auction_id != '')
)
ENGINE = MergeTree
PARTITION BY (date, intDiv(load, 1000000000000000))
ORDER BY (auction_id, at_ms)
TTL greatest(date, loaded) + INTERVAL 8 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

-- The creatives that win, or wait for their review: what exchange processes say of them in the trace
-- stream, put together. One row per partner, publisher and creative; first and last bids are in
-- milliseconds since 1970. A line that only brings counts has no markup: the latest one that has says
-- what the creative looks like.
--
-- Rows go when a creative was not seen for 90 days. That is a matter of single rows, so that parts
-- are not dropped as a whole, and are merged into one each day: a row that is kept apart from a later
-- one of its creative would go before it.
CREATE TABLE IF NOT EXISTS creatives
(
    demand_partner_id UInt64,
    publisher_id UInt64,
    crid String,
    first_ms SimpleAggregateFunction(min, UInt64),
    last_ms SimpleAggregateFunction(max, UInt64),
    wins SimpleAggregateFunction(sum, UInt64),
    pending SimpleAggregateFunction(sum, UInt64),
    last_pending_ms SimpleAggregateFunction(max, UInt64),
    latest AggregateFunction(argMax, Tuple(
        adomain Array(String),
        ad_format String,
        w UInt64,
        h UInt64,
        markup_bytes UInt64), UInt64),
    markup AggregateFunction(argMaxIf, String, UInt64, UInt8)
)
ENGINE = AggregatingMergeTree
ORDER BY (demand_partner_id, crid, publisher_id)
TTL toDateTime(intDiv(last_ms, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    min_age_to_force_merge_seconds = 86400,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS creatives_from_trace AS
SELECT
    JSONExtractUInt(line, 'demand_partner_id') AS demand_partner_id,
    trace.publisher_id AS publisher_id,
    JSONExtractString(line, 'crid') AS crid,
    min(JSONExtractUInt(line, 'first_ms')) AS first_ms,
    max(at_ms) AS last_ms,
    sum(JSONExtractUInt(line, 'wins')) AS wins,
    sum(JSONExtractUInt(line, 'pending')) AS pending,
    maxIf(at_ms, JSONExtractUInt(line, 'pending') > 0) AS last_pending_ms,
    argMaxState(
        CAST((
            JSONExtract(line, 'adomain', 'Array(String)'),
            JSONExtractString(line, 'ad_format'),
            JSONExtractUInt(line, 'w'),
            JSONExtractUInt(line, 'h'),
            JSONExtractUInt(line, 'markup_bytes')
        ), 'Tuple(adomain Array(String), ad_format String, w UInt64, h UInt64, markup_bytes UInt64)'),
        at_ms) AS latest,
    argMaxIfState(JSONExtractString(line, 'markup'), at_ms, JSONExtractString(line, 'markup') != '') AS markup
FROM trace
WHERE kind = 'creative'
GROUP BY demand_partner_id, publisher_id, crid;
