-- Beacons (win, impression, view, click) and the deliveries of notices join the auctions in the raw
-- table, as rows with columns of their own. What only some kinds have is empty in the others: this
-- costs an auction's row next to nothing.
--
-- Views are dropped and made anew under their names, because `MODIFY QUERY` would not do: what such a
-- view has written it does not know again when an INSERT is repeated (test/stores/loader-traps.test.ts).
-- Nothing is loaded while migrations run, so that no record misses a view.
ALTER TABLE money
    ADD COLUMN IF NOT EXISTS node LowCardinality(String),
    ADD COLUMN IF NOT EXISTS fd UInt8,
    ADD COLUMN IF NOT EXISTS notices Array(Tuple(
        event LowCardinality(String),
        bid UInt64,
        imp UInt64,
        demand_partner_id UInt64,
        lineitem_id UInt64,
        unless_won_by_ms UInt64,
        url String)),
    ADD COLUMN IF NOT EXISTS imp UInt64,
    ADD COLUMN IF NOT EXISTS expires_ms UInt64,
    ADD COLUMN IF NOT EXISTS zone_id UInt64,
    ADD COLUMN IF NOT EXISTS demand_partner_id UInt64,
    ADD COLUMN IF NOT EXISTS lineitem_id UInt64,
    ADD COLUMN IF NOT EXISTS dealid LowCardinality(String),
    ADD COLUMN IF NOT EXISTS ad_format LowCardinality(String),
    ADD COLUMN IF NOT EXISTS interstitial UInt8,
    ADD COLUMN IF NOT EXISTS rewarded UInt8,
    ADD COLUMN IF NOT EXISTS clearing_micros UInt64,
    ADD COLUMN IF NOT EXISTS payout_micros UInt64,
    ADD COLUMN IF NOT EXISTS notice_url String,
    ADD COLUMN IF NOT EXISTS deliveries Array(Tuple(
        event LowCardinality(String),
        auction_id String,
        imp UInt64,
        demand_partner_id UInt64,
        lineitem_id UInt64,
        due_ms UInt64,
        outcome LowCardinality(String),
        status UInt64,
        tries UInt64));

ALTER TABLE money DROP CONSTRAINT IF EXISTS kind_is_known;
ALTER TABLE money DROP CONSTRAINT IF EXISTS identity_is_there;
ALTER TABLE money
    ADD CONSTRAINT IF NOT EXISTS kind_is_known
        CHECK kind IN ('auction', 'win', 'impression', 'view', 'click', 'delivery'),
    -- A beacon of no partner or ad space would be money that is in nobody's report.
    ADD CONSTRAINT IF NOT EXISTS identity_is_there
        CHECK kind = 'delivery' OR (auction_id != '' AND publisher_id > 0
            AND (kind = 'auction' OR (demand_partner_id > 0 AND zone_id > 0))),
    -- A notice of a bid that is not there could not be told from one that was never due.
    ADD CONSTRAINT IF NOT EXISTS notices_name_bids
        CHECK arrayAll((event, bid, imp) -> event IN ('win', 'loss') AND bid < length(bids) AND imp < length(imps),
            notices.event, notices.bid, notices.imp),
    ADD CONSTRAINT IF NOT EXISTS deliveries_name_notices
        CHECK arrayAll((event, auction_id, outcome) -> event IN ('win', 'billing') AND auction_id != '' AND outcome IN ('delivered', 'given_up'),
            deliveries.event, deliveries.auction_id, deliveries.outcome);

-- Demand: where the publisher decides (fd = 1), a win is counted when a beacon confirms it.
DROP VIEW IF EXISTS demand_daily_from_auctions;
CREATE MATERIALIZED VIEW IF NOT EXISTS demand_daily_from_auctions TO demand_daily AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS demand_daily_from_beacons TO demand_daily AS
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

DROP VIEW IF EXISTS supply_daily_from_auctions;
CREATE MATERIALIZED VIEW IF NOT EXISTS supply_daily_from_auctions TO supply_daily AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS supply_daily_from_beacons TO supply_daily AS
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

DROP VIEW IF EXISTS lineitem_daily_from_auctions;
CREATE MATERIALIZED VIEW IF NOT EXISTS lineitem_daily_from_auctions TO lineitem_daily AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS lineitem_daily_from_beacons TO lineitem_daily AS
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

-- Inventory counts as before; its rows have another name now, since `imp` is a column of beacons.
DROP VIEW IF EXISTS inventory_hourly_from_auctions;
CREATE MATERIALIZED VIEW IF NOT EXISTS inventory_hourly_from_auctions TO inventory_hourly AS
SELECT
    toStartOfHour(toDateTime(at, 'UTC')) AS hour,
    publisher_id,
    slot.zone_id AS zone_id,
    app_bundle,
    app_site_domain,
    arrayStringConcat(money.categories, ' ') AS categories,
    slot.ad_format AS ad_format,
    arrayStringConcat(slot.sizes, ' ') AS sizes,
    slot.interstitial AS interstitial,
    slot.rewarded AS rewarded,
    country_code,
    has_location,
    platform_demand AS platform,
    os,
    language,
    connectiontype,
    slot.secure AS secure,
    count() AS ad_requests
FROM money
ARRAY JOIN imps AS slot
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;
