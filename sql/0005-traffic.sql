-- Live figures: what went on in each ten seconds, by publisher and by demand partner, for the traffic
-- of the last minutes and for how each partner's bidder does. What a page asks for every few seconds
-- is read from here in a few milliseconds, however many auctions there were.
--
-- Every auction has one publisher: the rows of all publishers together are the whole exchange. The
-- rows of a demand partner have its own calls, bids and money, and no ad requests. Nothing of a test
-- auction is counted, and what each metric counts is as in the reports.
--
-- A SummingMergeTree adds up by their keys the arrays of a group whose name ends in Map. Latencies are
-- those of answers, bids or none, counted in steps of 4.4 %: step n begins at 2^(n/16) - 1 ms.
-- Reasons are those of answers without a bid, of errors and of calls that were not sent, each after
-- its outcome.
--
-- A day can be asked for; kept as long as inventory.
CREATE TABLE IF NOT EXISTS traffic_10s
(
    step DateTime('UTC'),
    side LowCardinality(String),
    account_id UInt64,
    ad_requests UInt64,
    filled_requests UInt64,
    bid_requests UInt64,
    responses UInt64,
    no_bids UInt64,
    timeouts UInt64,
    errors UInt64,
    throttled UInt64,
    bids UInt64,
    wins UInt64,
    impressions UInt64,
    clicks UInt64,
    gross_cpm_micros UInt64,
    payout_cpm_micros UInt64,
    `latenciesMap.step` Array(UInt16),
    `latenciesMap.calls` Array(UInt64),
    `reasonsMap.reason` Array(String),
    `reasonsMap.calls` Array(UInt64)
)
ENGINE = SummingMergeTree
PARTITION BY toDate(step)
ORDER BY (side, step, account_id)
TTL toDate(step) + INTERVAL 9 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS traffic_10s_from_auctions AS
WITH arrayMap(
        us -> toUInt16(floor(16 * log2(1 + us / 1000))),
        arrayFilter((us, outcome) -> outcome IN ('bid', 'no_bid'), calls.latency_us, calls.outcome)) AS answered
SELECT
    toDateTime(intDiv(at_ms, 10000) * 10, 'UTC') AS step,
    'publisher' AS side,
    publisher_id AS account_id,
    sum(length(imps.zone_id)) AS ad_requests,
    sum(arraySum(imps.filled)) AS filled_requests,
    sum(length(calls.imp) - countEqual(calls.outcome, 'throttled')) AS bid_requests,
    sum(countEqual(calls.outcome, 'bid')) AS responses,
    sum(countEqual(calls.outcome, 'no_bid')) AS no_bids,
    sum(countEqual(calls.outcome, 'timeout')) AS timeouts,
    sum(countEqual(calls.outcome, 'error')) AS errors,
    sum(countEqual(calls.outcome, 'throttled')) AS throttled,
    sum(length(money.bids.imp)) AS bids,
    sumIf(countEqual(money.bids.loss_reason, 0), fd = 0) AS wins,
    sumMap(answered, arrayMap(each -> toUInt64(1), answered)).1 AS `latenciesMap.step`,
    sumMap(answered, arrayMap(each -> toUInt64(1), answered)).2 AS `latenciesMap.calls`
FROM money
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- One row for each call and each bid; rows of bids have no outcome.
CREATE VIEW IF NOT EXISTS traffic_10s_from_calls AS
WITH
    if(outcome IN ('bid', 'no_bid'), [toUInt16(floor(16 * log2(1 + latency_us / 1000)))], []) AS answered,
    if(reason != '', [concat(outcome, ' ', reason)], []) AS reasons
SELECT
    toDateTime(intDiv(at_ms, 10000) * 10, 'UTC') AS step,
    'demand_partner' AS side,
    partner AS account_id,
    countIf(outcome NOT IN ('', 'throttled')) AS bid_requests,
    countIf(outcome = 'bid') AS responses,
    countIf(outcome = 'no_bid') AS no_bids,
    countIf(outcome = 'timeout') AS timeouts,
    countIf(outcome = 'error') AS errors,
    countIf(outcome = 'throttled') AS throttled,
    countIf(outcome = '') AS bids,
    sumIf(is_won, fd = 0) AS wins,
    sumMap(answered, arrayMap(each -> toUInt64(1), answered)).1 AS `latenciesMap.step`,
    sumMap(answered, arrayMap(each -> toUInt64(1), answered)).2 AS `latenciesMap.calls`,
    sumMap(reasons, arrayMap(each -> toUInt64(1), reasons)).1 AS `reasonsMap.reason`,
    sumMap(reasons, arrayMap(each -> toUInt64(1), reasons)).2 AS `reasonsMap.calls`
FROM money
ARRAY JOIN
    arrayConcat(calls.demand_partner_id, money.bids.demand_partner_id) AS partner,
    arrayConcat(
        arrayMap(each -> toString(each), calls.outcome),
        arrayMap(index -> '', money.bids.imp)) AS outcome,
    arrayConcat(calls.reason, arrayMap(index -> '', money.bids.imp)) AS reason,
    arrayConcat(calls.latency_us, arrayMap(index -> 0, money.bids.imp)) AS latency_us,
    arrayConcat(
        arrayMap(index -> 0, calls.imp),
        arrayMap(loss_reason -> loss_reason = 0, money.bids.loss_reason)) AS is_won
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;

-- A beacon counts for its publisher and for its demand partner, in its own ten seconds.
CREATE VIEW IF NOT EXISTS traffic_10s_from_beacons AS
SELECT
    toDateTime(intDiv(at_ms, 10000) * 10, 'UTC') AS step,
    account.1 AS side,
    account.2 AS account_id,
    countIf(kind = 'win') AS wins,
    countIf(kind = 'impression') AS impressions,
    countIf(kind = 'click') AS clicks,
    sumIf(clearing_micros, kind = 'impression') AS gross_cpm_micros,
    sumIf(payout_micros, kind = 'impression') AS payout_cpm_micros
FROM money
ARRAY JOIN [('publisher', publisher_id), ('demand_partner', demand_partner_id)] AS account
WHERE (kind IN ('impression', 'click') OR (kind = 'win' AND fd = 1)) AND test = 0
GROUP BY ALL;
