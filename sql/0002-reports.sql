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
    gross_cpm_micros UInt64,
    -- What a report by one dimension reads: the sums by who was reached and by where, hundreds of times
    -- fewer rows where an account has much traffic. ClickHouse takes them wherever they hold what a
    -- query asks for.
    PROJECTION by_audience
    (
        SELECT
            demand_partner_id, date, ad_format, country_code, interstitial, platform, rewarded,
            sum(dsp_requests), sum(bids), sum(wins), sum(impressions), sum(clicks), sum(gross_cpm_micros)
        GROUP BY demand_partner_id, date, ad_format, country_code, interstitial, platform, rewarded
    ),
    PROJECTION by_inventory
    (
        SELECT
            demand_partner_id, date, app_bundle, app_site_domain,
            sum(dsp_requests), sum(bids), sum(wins), sum(impressions), sum(clicks), sum(gross_cpm_micros)
        GROUP BY demand_partner_id, date, app_bundle, app_site_domain
    )
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (demand_partner_id, date)
ORDER BY (demand_partner_id, date, app_bundle, app_site_domain, country_code, ad_format, platform, interstitial, rewarded)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    -- What sums or deletes rows computes the projections anew; ClickHouse refuses it otherwise.
    deduplicate_merge_projection_mode = 'rebuild',
    lightweight_mutation_projection_mode = 'rebuild',
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

-- A call takes the dimensions of the first impression that it offered; a bid those of its own, or
-- of the auction's first when it named none, and its own format where that could be told. The
-- columns are qualified because the names on the left would hide them. Where the publisher decides
-- (fd = 1), a win is counted when a beacon confirms it.
CREATE VIEW IF NOT EXISTS demand_daily_from_auctions AS
SELECT
    date,
    partner AS demand_partner_id,
    if(bid_format = '', imps.ad_format[place], bid_format) AS ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    imps.interstitial[place] AS interstitial,
    platform_demand AS platform,
    imps.rewarded[place] AS rewarded,
    sum(is_sent) AS dsp_requests,
    sum(is_bid) AS bids,
    sumIf(is_won, fd = 0) AS wins
FROM money
ARRAY JOIN
    arrayConcat(calls.demand_partner_id, money.bids.demand_partner_id) AS partner,
    arrayConcat(
        arrayMap(index -> toInt64(index) + 1, calls.imp),
        arrayMap(index -> greatest(index, 0) + 1, money.bids.imp)) AS place,
    arrayConcat(arrayMap(index -> '', calls.imp), money.bids.ad_format) AS bid_format,
    arrayConcat(
        arrayMap(outcome -> outcome != 'throttled', calls.outcome),
        arrayMap(index -> 0, money.bids.imp)) AS is_sent,
    arrayConcat(arrayMap(index -> 0, calls.imp), arrayMap(index -> 1, money.bids.imp)) AS is_bid,
    arrayConcat(
        arrayMap(index -> 0, calls.imp),
        arrayMap(loss_reason -> loss_reason = 0, money.bids.loss_reason)) AS is_won
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

CREATE VIEW IF NOT EXISTS demand_daily_from_beacons AS
SELECT
    date,
    demand_partner_id,
    ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    interstitial,
    platform_demand AS platform,
    rewarded,
    countIf(kind = 'win') AS wins,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sumIf(clearing_micros, kind = 'impression') AS gross_cpm_micros
FROM money
WHERE (kind IN ('impression', 'click') OR (kind = 'win' AND fd = 1)) AND test = 0
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
    payout_cpm_micros UInt64,
    PROJECTION by_audience
    (
        SELECT
            publisher_id, date, ad_format, country_code, interstitial, platform, rewarded, os,
            sum(requests), sum(filled_requests), sum(supply_wins), sum(impressions), sum(clicks), sum(payout_cpm_micros)
        GROUP BY publisher_id, date, ad_format, country_code, interstitial, platform, rewarded, os
    ),
    PROJECTION by_inventory
    (
        SELECT
            publisher_id, date, app_bundle, app_site_domain, zone_id,
            sum(requests), sum(filled_requests), sum(supply_wins), sum(impressions), sum(clicks), sum(payout_cpm_micros)
        GROUP BY publisher_id, date, app_bundle, app_site_domain, zone_id
    )
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (publisher_id, date)
ORDER BY (publisher_id, date, zone_id, app_bundle, app_site_domain, country_code, ad_format, platform, os, interstitial, rewarded)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    deduplicate_merge_projection_mode = 'rebuild',
    lightweight_mutation_projection_mode = 'rebuild',
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS supply_daily_from_auctions AS
SELECT
    date,
    publisher_id,
    slot.ad_format AS ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    slot.interstitial AS interstitial,
    platform_supply AS platform,
    slot.rewarded AS rewarded,
    os,
    slot.zone_id AS zone_id,
    count() AS requests,
    sum(slot.filled) AS filled_requests,
    sumIf(slot.filled, fd = 0) AS supply_wins
FROM money
ARRAY JOIN imps AS slot
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

CREATE VIEW IF NOT EXISTS supply_daily_from_beacons AS
SELECT
    date,
    publisher_id,
    ad_format,
    app_bundle,
    app_site_domain,
    country_code,
    interstitial,
    platform_supply AS platform,
    rewarded,
    os,
    zone_id,
    countIf(kind = 'win') AS supply_wins,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sumIf(payout_micros, kind = 'impression') AS payout_cpm_micros
FROM money
WHERE (kind IN ('impression', 'click') OR (kind = 'win' AND fd = 1)) AND test = 0
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
CREATE VIEW IF NOT EXISTS lineitem_daily_from_auctions AS
SELECT
    date,
    partner AS demand_partner_id,
    line_item AS lineitem_id,
    countIf(outcome NOT IN ('', 'throttled')) AS dsp_requests,
    countIf(outcome = 'bid') AS responses,
    countIf(outcome = 'no_bid') AS no_bids,
    countIf(outcome = 'timeout') AS timeouts,
    countIf(outcome = 'error') AS errors,
    countIf(outcome = 'throttled') AS throttled,
    countIf(outcome = '') AS bids,
    sum(is_in_auction) AS bids_in_auction,
    sumIf(is_won, fd = 0) AS wins
FROM money
ARRAY JOIN
    arrayConcat(
        arrayFlatten(arrayMap((partner, ids) -> arrayMap(id -> partner, ids), calls.demand_partner_id, calls.lineitem_ids)),
        money.bids.demand_partner_id) AS partner,
    arrayConcat(arrayFlatten(calls.lineitem_ids), money.bids.lineitem_id) AS line_item,
    arrayConcat(
        arrayFlatten(arrayMap((outcome, ids) -> arrayMap(id -> outcome, ids), calls.outcome, calls.lineitem_ids)),
        arrayMap(index -> '', money.bids.imp)) AS outcome,
    arrayConcat(arrayMap(id -> 0, arrayFlatten(calls.lineitem_ids)), money.bids.in_auction) AS is_in_auction,
    arrayConcat(
        arrayMap(id -> 0, arrayFlatten(calls.lineitem_ids)),
        arrayMap(loss_reason -> loss_reason = 0, money.bids.loss_reason)) AS is_won
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

CREATE VIEW IF NOT EXISTS lineitem_daily_from_beacons AS
SELECT
    date,
    demand_partner_id,
    lineitem_id,
    countIf(kind = 'win') AS wins,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sumIf(clearing_micros, kind = 'impression') AS gross_cpm_micros
FROM money
WHERE (kind IN ('impression', 'click') OR (kind = 'win' AND fd = 1)) AND test = 0
GROUP BY ALL;
