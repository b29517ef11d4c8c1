-- The records of the money stream as they were written: what every rollup is made of, what can be
-- rebuilt from, and what an auction is looked up in. Columns and their parts bear the names of
-- src/events; test/stores/loader-schema.test.ts holds one against the other. Integers are 64 bits wide
-- where the record sets no limit: a narrower column would cut them without a word. Texts are of low
-- cardinality where we choose them, and plain where bidders do.
--
-- Auctions, beacons (win, impression, view, click) and the deliveries of notices are rows of one table.
-- What only some kinds have is empty in the others, which costs an auction's row next to nothing.
-- `line` and `crc` are how a line of the journal ends: its number among those of its process, and its
-- checksum. By both, a node's records are found again.
--
-- Every row carries the number of its load, which grows with the store: rollups are filled in steps, each
-- over a range of loads (src/analytics/step-rollups.ts), and who has not seen the answer to an INSERT asks
-- what is there of it. The partition key names the number so that each part knows its least and greatest
-- one: a part that a step does not need is not opened. The quotient is always 0.
--
-- Partitions are days, so that what has expired goes as whole parts. What is loaded late stays as long as
-- what is new: rollups are filled after it was loaded.
CREATE TABLE IF NOT EXISTS money
(
    kind LowCardinality(String),
    auction_id String,
    request_id String,
    at_ms UInt64,
    snapshot LowCardinality(String),
    test UInt8,
    publisher_id UInt64,
    property_id UInt64,
    app_bundle LowCardinality(String),
    app_site_domain LowCardinality(String),
    country_code LowCardinality(String),
    platform_demand LowCardinality(String),
    platform_supply LowCardinality(String),
    os LowCardinality(String),
    categories Array(LowCardinality(String)),
    language LowCardinality(String),
    connectiontype UInt64,
    has_location UInt8,
    imps Array(Tuple(
        zone_id UInt64,
        ad_format LowCardinality(String),
        sizes Array(String),
        interstitial UInt8,
        rewarded UInt8,
        secure UInt8,
        floor_micros UInt64,
        filled UInt8)),
    calls Array(Tuple(
        demand_partner_id UInt64,
        imp UInt64,
        lineitem_ids Array(UInt64),
        outcome LowCardinality(String),
        reason String,
        latency_us UInt64)),
    bids Array(Tuple(
        demand_partner_id UInt64,
        lineitem_id UInt64,
        imp Int64,
        bid_id String,
        seat String,
        dealid String,
        crid String,
        adomain String,
        ad_format LowCardinality(String),
        price_micros UInt64,
        loss_reason UInt64,
        in_auction UInt8,
        clearing_micros UInt64,
        payout_micros UInt64)),
    bids_dropped UInt64,
    node LowCardinality(String),
    fd UInt8,
    notices Array(Tuple(
        event LowCardinality(String),
        bid UInt64,
        imp UInt64,
        demand_partner_id UInt64,
        lineitem_id UInt64,
        unless_won_by_ms UInt64,
        url String)),
    imp UInt64,
    expires_ms UInt64,
    zone_id UInt64,
    demand_partner_id UInt64,
    lineitem_id UInt64,
    dealid LowCardinality(String),
    ad_format LowCardinality(String),
    interstitial UInt8,
    rewarded UInt8,
    clearing_micros UInt64,
    payout_micros UInt64,
    notice_url String,
    deliveries Array(Tuple(
        event LowCardinality(String),
        auction_id String,
        imp UInt64,
        demand_partner_id UInt64,
        lineitem_id UInt64,
        due_ms UInt64,
        outcome LowCardinality(String),
        status UInt64,
        tries UInt64)),
    line UInt64,
    crc UInt64,
    load UInt64,
    loaded Date MATERIALIZED toDate(now('UTC')),
    at DateTime64(3, 'UTC') MATERIALIZED fromUnixTimestamp64Milli(toInt64(at_ms), 'UTC'),
    date Date MATERIALIZED toDate(at),
    -- A kind that no view knows would be loaded and never counted.
    CONSTRAINT kind_is_known CHECK kind IN ('auction', 'win', 'impression', 'view', 'click', 'delivery'),
    -- What has no number would never be counted.
    CONSTRAINT load_is_there CHECK load > 0,
    -- Seconds for milliseconds, or a broken clock, would lie in a month that no report shows.
    CONSTRAINT time_is_plausible CHECK at_ms BETWEEN 1704067200000 AND 4102444799999,
    -- A beacon of no partner or ad space would be money that is in nobody's report.
    CONSTRAINT identity_is_there CHECK kind = 'delivery' OR (auction_id != '' AND publisher_id > 0
            AND (kind = 'auction' OR (demand_partner_id > 0 AND zone_id > 0))),
    -- A call or bid on an impression that is not there would be counted without its dimensions.
    CONSTRAINT calls_name_imps CHECK arrayAll(imp -> imp < length(imps), calls.imp),
    CONSTRAINT bids_name_imps CHECK arrayAll(imp -> imp < length(imps), bids.imp),
    -- A notice of a bid that is not there could not be told from one that was never due.
    CONSTRAINT notices_name_bids CHECK arrayAll((event, bid, imp) -> event IN ('win', 'loss') AND bid < length(bids) AND imp < length(imps),
            notices.event, notices.bid, notices.imp),
    CONSTRAINT deliveries_name_notices CHECK arrayAll((event, auction_id, outcome) -> event IN ('win', 'billing') AND auction_id != '' AND outcome IN ('delivered', 'given_up'),
            deliveries.event, deliveries.auction_id, deliveries.outcome),
    -- The records are sorted by publisher and then by time: whoever lists the newest of all publishers
    -- passes over older parts by this.
    INDEX by_time at_ms TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY (date, intDiv(load, 1000000000000000))
ORDER BY (publisher_id, at_ms)
TTL greatest(date, loaded) + INTERVAL 14 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;
