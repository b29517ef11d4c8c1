-- What was billed of line items, by node and by when the tokens of its impressions expire: once all
-- that a node wrote before a token's end has been loaded, a win that is not in here will never be
-- billed, and what it had reserved of the line item's daily budget can be given to others. An
-- impression counts on the day of its own beacon.
--
-- For control alone, which asks for the current day; kept as long as inventory.
CREATE TABLE IF NOT EXISTS billed_by_expiry
(
    date Date,
    node LowCardinality(String),
    lineitem_id UInt64,
    expires DateTime('UTC'),
    impressions UInt64,
    gross_cpm_micros UInt64
)
ENGINE = SummingMergeTree
PARTITION BY date
ORDER BY (date, node, lineitem_id, expires)
TTL date + INTERVAL 9 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

-- Times are rounded up to ten minutes, the steps in which exchange processes tell what is open (see
-- src/ports/leases.ts): when one has come, all that is counted under it has expired.
CREATE VIEW IF NOT EXISTS billed_by_expiry_from_beacons AS
SELECT
    date,
    node,
    lineitem_id,
    toDateTime(intDiv(expires_ms + 599999, 600000) * 600, 'UTC') AS expires,
    count() AS impressions,
    sum(clearing_micros) AS gross_cpm_micros
FROM money
WHERE kind = 'impression' AND test = 0
GROUP BY ALL;
