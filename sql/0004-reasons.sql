-- Why bid requests did not become bids, and bids no wins: what `funnel` and `losses` of the management
-- API read, so that weeks of them cost no look at raw records.

-- Bid requests by what became of them. A call counts once under line item 0, which is all of the
-- partner's together, and once under each line item that it matched.
CREATE TABLE IF NOT EXISTS call_reasons_daily
(
    date Date,
    demand_partner_id UInt64,
    lineitem_id UInt64,
    outcome LowCardinality(String),
    reason LowCardinality(String),
    calls UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (demand_partner_id, lineitem_id, date)
ORDER BY (demand_partner_id, lineitem_id, date, outcome, reason)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS call_reasons_daily_from_auctions AS
SELECT
    date,
    partner AS demand_partner_id,
    line_item AS lineitem_id,
    outcome,
    why AS reason,
    count() AS calls
FROM money
ARRAY JOIN
    arrayConcat(
        calls.demand_partner_id,
        arrayFlatten(arrayMap((partner, ids) -> arrayMap(id -> partner, ids), calls.demand_partner_id, calls.lineitem_ids))) AS partner,
    arrayConcat(arrayMap(partner -> toUInt64(0), calls.demand_partner_id), arrayFlatten(calls.lineitem_ids)) AS line_item,
    arrayConcat(
        calls.outcome,
        arrayFlatten(arrayMap((outcome, ids) -> arrayMap(id -> outcome, ids), calls.outcome, calls.lineitem_ids))) AS outcome,
    arrayConcat(
        calls.reason,
        arrayFlatten(arrayMap((reason, ids) -> arrayMap(id -> reason, ids), calls.reason, calls.lineitem_ids))) AS why
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- Bids by their reason; 0 won. Line item 0 holds those that could be brought to none. The texts are
-- those of any one bid that the row counts, as examples: a SummingMergeTree keeps one of each.
--
-- What a bid fell short by is known of those below the publisher's floor (100) or a higher bid (102):
-- the floor, and one cent above the bid that won where one did. A floor of the line item or of a deal
-- is not in the record.
CREATE TABLE IF NOT EXISTS bid_reasons_daily
(
    date Date,
    demand_partner_id UInt64,
    lineitem_id UInt64,
    publisher_id UInt64,
    seat String,
    loss_reason UInt64,
    bids UInt64,
    bids_in_auction UInt64,
    wins_to_confirm UInt64,
    priced_bids UInt64,
    bid_cpm_micros UInt64,
    short_bids UInt64,
    short_cpm_micros UInt64,
    example_auction_id String,
    example_crid String,
    example_adomain String
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(date)
PRIMARY KEY (demand_partner_id, date)
ORDER BY (demand_partner_id, date, lineitem_id, loss_reason, publisher_id, seat)
TTL toStartOfMonth(date) + INTERVAL 6 MONTH
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS bid_reasons_daily_from_auctions AS
SELECT
    date,
    partner AS demand_partner_id,
    line_item AS lineitem_id,
    publisher_id,
    bid_seat AS seat,
    why AS loss_reason,
    count() AS bids,
    sum(competed) AS bids_in_auction,
    countIf(why = 0 AND fd = 1) AS wins_to_confirm,
    countIf(price > 0) AS priced_bids,
    sum(price) AS bid_cpm_micros,
    countIf(enough > price) AS short_bids,
    sumIf(enough - price, enough > price) AS short_cpm_micros,
    any(auction_id) AS example_auction_id,
    any(bid_crid) AS example_crid,
    any(bid_adomain) AS example_adomain
FROM money
ARRAY JOIN
    money.bids.demand_partner_id AS partner,
    money.bids.lineitem_id AS line_item,
    money.bids.seat AS bid_seat,
    money.bids.loss_reason AS why,
    money.bids.in_auction AS competed,
    money.bids.price_micros AS price,
    money.bids.crid AS bid_crid,
    money.bids.adomain AS bid_adomain,
    arrayMap(
        (place, why, deal, winner) -> multiIf(
            why NOT IN (100, 102) OR place < 0, 0,
            winner = 0, imps.floor_micros[place + 1],
            -- Whatever it had bid, a bid for a deal would have ranked above it.
            deal = '' AND money.bids.dealid[winner] != '', 0,
            greatest(imps.floor_micros[place + 1], money.bids.price_micros[winner] + 10000)),
        money.bids.imp,
        money.bids.loss_reason,
        money.bids.dealid,
        arrayMap(
            place -> indexOf(arrayMap((imp, why) -> if(why = 0, imp, toInt64(-2)), money.bids.imp, money.bids.loss_reason), place),
            money.bids.imp)) AS enough
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;
