-- What reports read. A rollup's views are named `<rollup>_from_<what>`: `rebuild` goes by that name.
-- What each metric counts is told in docs/reference/reports.md. Nothing of a test auction is counted.
-- Money is the sum over impressions of micro-dollars CPM: 1e9 of them are one dollar.
--
-- Report months reach back four full months, so that a month can go when it has been over for five.

-- Demand: one row per partner, day and combination of the report's dimensions.
CREATE TABLE IF NOT EXISTS demand_daily
(
    date Date,
    demand_partner_id UInt64,
    ad_format LowCardinality(String),
    app_bundle LowCardinality(String),
    app_site_domain LowCardinality(String),
    country_code LowCardinality(String),
    interstitial UInt8,
    platform LowCardinality(String),
    rewarded UInt8,
    dsp_requests UInt64,
    bids UInt64,
    wins UInt64,
    impressions UInt64,
    clicks UInt64,
    gross_cpm_micros UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (demand_partner_id, date)
ORDER BY (demand_partner_id, date, app_bundle, app_site_domain, country_code, ad_format, platform, interstitial, rewarded)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

-- A call takes the dimensions of the first impression that it offered; a bid those of its own, or
-- of the auction's first when it named none, and its own format where that could be told. The
-- columns are qualified because the names on the left would hide them.
CREATE MATERIALIZED VIEW IF NOT EXISTS demand_daily_from_auctions TO demand_daily AS
SELECT
    date,
    demand_partner_id,
    if(bid_format = '', imps.ad_format[place], bid_format) AS ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    imps.interstitial[place] AS interstitial,
    platform_demand AS platform,
    imps.rewarded[place] AS rewarded,
    sum(is_sent) AS dsp_requests,
    sum(is_bid) AS bids,
    sum(is_won) AS wins
FROM money
ARRAY JOIN
    arrayConcat(calls.demand_partner_id, money.bids.demand_partner_id) AS demand_partner_id,
    arrayConcat(
        arrayMap(imp -> toInt64(imp) + 1, calls.imp),
        arrayMap(imp -> greatest(imp, 0) + 1, money.bids.imp)) AS place,
    arrayConcat(arrayMap(imp -> '', calls.imp), money.bids.ad_format) AS bid_format,
    arrayConcat(
        arrayMap(outcome -> outcome != 'throttled', calls.outcome),
        arrayMap(imp -> 0, money.bids.imp)) AS is_sent,
    arrayConcat(arrayMap(imp -> 0, calls.imp), arrayMap(imp -> 1, money.bids.imp)) AS is_bid,
    arrayConcat(
        arrayMap(imp -> 0, calls.imp),
        arrayMap(loss_reason -> loss_reason = 0, money.bids.loss_reason)) AS is_won
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- Supply: one row per publisher, day and combination of the report's dimensions.
CREATE TABLE IF NOT EXISTS supply_daily
(
    date Date,
    publisher_id UInt64,
    ad_format LowCardinality(String),
    app_bundle LowCardinality(String),
    app_site_domain LowCardinality(String),
    country_code LowCardinality(String),
    interstitial UInt8,
    platform LowCardinality(String),
    rewarded UInt8,
    os LowCardinality(String),
    zone_id UInt64,
    requests UInt64,
    filled_requests UInt64,
    supply_wins UInt64,
    impressions UInt64,
    clicks UInt64,
    payout_cpm_micros UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (publisher_id, date)
ORDER BY (publisher_id, date, zone_id, app_bundle, app_site_domain, country_code, ad_format, platform, os, interstitial, rewarded)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS supply_daily_from_auctions TO supply_daily AS
SELECT
    date,
    publisher_id,
    imp.ad_format AS ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    imp.interstitial AS interstitial,
    platform_supply AS platform,
    imp.rewarded AS rewarded,
    os,
    imp.zone_id AS zone_id,
    count() AS requests,
    sum(imp.filled) AS filled_requests,
    sum(imp.filled) AS supply_wins
FROM money
ARRAY JOIN imps AS imp
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- Line items: one row per line item and day. Line item 0 holds the bids that could be brought to
-- none.
CREATE TABLE IF NOT EXISTS lineitem_daily
(
    date Date,
    demand_partner_id UInt64,
    lineitem_id UInt64,
    dsp_requests UInt64,
    responses UInt64,
    no_bids UInt64,
    timeouts UInt64,
    errors UInt64,
    throttled UInt64,
    bids UInt64,
    bids_in_auction UInt64,
    wins UInt64,
    impressions UInt64,
    clicks UInt64,
    gross_cpm_micros UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
ORDER BY (demand_partner_id, date, lineitem_id)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

-- A bid request counts for each line item that it matched, a bid for its own alone. Rows of bids
-- have no outcome.
CREATE MATERIALIZED VIEW IF NOT EXISTS lineitem_daily_from_auctions TO lineitem_daily AS
SELECT
    date,
    demand_partner_id,
    lineitem_id,
    countIf(outcome NOT IN ('', 'throttled')) AS dsp_requests,
    countIf(outcome = 'bid') AS responses,
    countIf(outcome = 'no_bid') AS no_bids,
    countIf(outcome = 'timeout') AS timeouts,
    countIf(outcome = 'error') AS errors,
    countIf(outcome = 'throttled') AS throttled,
    countIf(outcome = '') AS bids,
    sum(is_in_auction) AS bids_in_auction,
    sum(is_won) AS wins
FROM money
ARRAY JOIN
    arrayConcat(
        arrayFlatten(arrayMap((partner, ids) -> arrayMap(id -> partner, ids), calls.demand_partner_id, calls.lineitem_ids)),
        money.bids.demand_partner_id) AS demand_partner_id,
    arrayConcat(arrayFlatten(calls.lineitem_ids), money.bids.lineitem_id) AS lineitem_id,
    arrayConcat(
        arrayFlatten(arrayMap((outcome, ids) -> arrayMap(id -> outcome, ids), calls.outcome, calls.lineitem_ids)),
        arrayMap(imp -> '', money.bids.imp)) AS outcome,
    arrayConcat(arrayMap(id -> 0, arrayFlatten(calls.lineitem_ids)), money.bids.in_auction) AS is_in_auction,
    arrayConcat(
        arrayMap(id -> 0, arrayFlatten(calls.lineitem_ids)),
        arrayMap(loss_reason -> loss_reason = 0, money.bids.loss_reason)) AS is_won
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- Inventory: ad requests by hour and by everything that targeting can ask for, for discovery, which
-- looks at seven days. Categories and sizes are joined by spaces: there are few different lists, and
-- a text of low cardinality is looked up much faster than an array.
CREATE TABLE IF NOT EXISTS inventory_hourly
(
    hour DateTime('UTC'),
    publisher_id UInt64,
    zone_id UInt64,
    app_bundle LowCardinality(String),
    app_site_domain LowCardinality(String),
    categories LowCardinality(String),
    ad_format LowCardinality(String),
    sizes LowCardinality(String),
    interstitial UInt8,
    rewarded UInt8,
    country_code LowCardinality(String),
    has_location UInt8,
    platform LowCardinality(String),
    os LowCardinality(String),
    language LowCardinality(String),
    connectiontype UInt64,
    secure UInt8,
    ad_requests UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toDate(hour)
PRIMARY KEY (hour)
ORDER BY (hour, publisher_id, zone_id, app_bundle, app_site_domain, categories, ad_format, sizes, interstitial, rewarded, country_code, has_location, platform, os, language, connectiontype, secure)
TTL toDate(hour) + INTERVAL 9 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS inventory_hourly_from_auctions TO inventory_hourly AS
SELECT
    toStartOfHour(toDateTime(at, 'UTC')) AS hour,
    publisher_id,
    imp.zone_id AS zone_id,
    app_bundle,
    app_site_domain,
    arrayStringConcat(money.categories, ' ') AS categories,
    imp.ad_format AS ad_format,
    arrayStringConcat(imp.sizes, ' ') AS sizes,
    imp.interstitial AS interstitial,
    imp.rewarded AS rewarded,
    country_code,
    has_location,
    platform_demand AS platform,
    os,
    language,
    connectiontype,
    imp.secure AS secure,
    count() AS ad_requests
FROM money
ARRAY JOIN imps AS imp
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;
