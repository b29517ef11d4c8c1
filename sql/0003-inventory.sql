-- Inventory: ad requests by the day and by everything that targeting can ask for, with the hours in a
-- map, for discovery, which looks at seven days. Most combinations are met in several hours of a day, so
-- that there are five times fewer rows than with one for each hour; the hours are read of those alone
-- that targeting allows. `hour` is the first of the day. An hour of one combination does not come near
-- to 2^32 ad requests. Categories and sizes are joined by spaces: there are few different lists, and a
-- text of low cardinality is looked up much faster than an array.
--
-- A SummingMergeTree adds up by their keys the arrays of a group whose name ends in Map.
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
    ad_requests UInt64,
    `hoursMap.hour` Array(UInt8),
    `hoursMap.ad_requests` Array(UInt32),
    -- What most questions of discovery ask, summed up beforehand: a question whose keys are all among
    -- the columns of a projection is answered from it, a tenth of the rows or less. ClickHouse picks the
    -- smallest that will do (src/analytics/discovery.ts asks in a form that fits). Each hour is a column:
    -- sums of plain columns are what ClickHouse adds up fastest. Indexing by 0, which stands for an hour
    -- that is not in the map, gives 0.
    -- The ad space and all that goes with it, by country and platform.
    PROJECTION by_place (
        SELECT
            toDate(hour),
            publisher_id, zone_id, app_bundle, app_site_domain, categories, ad_format, sizes, interstitial, rewarded,
            secure, country_code, platform, os,
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 0)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 1)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 2)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 3)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 4)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 5)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 6)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 7)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 8)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 9)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 10)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 11)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 12)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 13)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 14)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 15)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 16)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 17)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 18)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 19)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 20)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 21)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 22)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 23)])
        GROUP BY
            toDate(hour),
            publisher_id, zone_id, app_bundle, app_site_domain, categories, ad_format, sizes, interstitial, rewarded,
            secure, country_code, platform, os
    ),
    -- The device and where it is, in all ad spaces together.
    PROJECTION by_device (
        SELECT
            toDate(hour),
            country_code, has_location, platform, os, language, connectiontype, secure,
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 0)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 1)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 2)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 3)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 4)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 5)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 6)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 7)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 8)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 9)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 10)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 11)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 12)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 13)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 14)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 15)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 16)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 17)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 18)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 19)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 20)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 21)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 22)]),
            sum(hoursMap.ad_requests[indexOf(hoursMap.hour, 23)])
        GROUP BY
            toDate(hour),
            country_code, has_location, platform, os, language, connectiontype, secure
    )
)
ENGINE = SummingMergeTree
PARTITION BY toDate(hour)
PRIMARY KEY (hour)
ORDER BY (hour, publisher_id, zone_id, app_bundle, app_site_domain, categories, ad_format, sizes, interstitial, rewarded, country_code, has_location, platform, os, language, connectiontype, secure)
TTL toDate(hour) + INTERVAL 9 DAY
SETTINGS
    non_replicated_deduplication_window = 1000,
    -- Parts are merged by adding up, which changes no sum: projections may be merged by themselves.
    deduplicate_merge_projection_mode = 'ignore',
    ttl_only_drop_parts = 1,
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;

CREATE VIEW IF NOT EXISTS inventory_hourly_from_auctions AS
SELECT
    toStartOfDay(toDateTime(at, 'UTC')) AS hour,
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
    count() AS ad_requests,
    sumMap([toHour(toDateTime(at, 'UTC'))], [toUInt32(1)]).1 AS `hoursMap.hour`,
    sumMap([toHour(toDateTime(at, 'UTC'))], [toUInt32(1)]).2 AS `hoursMap.ad_requests`
FROM money
ARRAY JOIN imps AS imp
WHERE kind = 'auction' AND test = 0
GROUP BY ALL;
