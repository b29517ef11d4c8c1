-- What most questions of discovery ask of inventory, summed up beforehand: a question whose keys are
-- all among the columns of a projection is answered from it, a tenth of the rows or less. ClickHouse
-- picks the smallest that will do (src/analytics/discovery.ts asks in a form that fits).
--
-- A projection is a part of each part of the table: it is written, deduplicated, merged, replaced and
-- expired with it, so that what an upgrade interrupts is counted once here as well. Parts are merged by
-- adding up, which changes no sum: projections may be merged by themselves (`ignore`) and need not be
-- built anew from the merged rows.
--
-- Each hour is a column: sums of plain columns are what ClickHouse adds up fastest. Indexing by 0,
-- which stands for an hour that is not in the map, gives 0.
ALTER TABLE inventory_hourly MODIFY SETTING deduplicate_merge_projection_mode = 'ignore';

-- The ad space and all that goes with it, by country and platform.
ALTER TABLE inventory_hourly ADD PROJECTION IF NOT EXISTS by_place (SELECT
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
    secure, country_code, platform, os);

-- The device and where it is, in all ad spaces together.
ALTER TABLE inventory_hourly ADD PROJECTION IF NOT EXISTS by_device (SELECT
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
    country_code, has_location, platform, os, language, connectiontype, secure);

ALTER TABLE inventory_hourly MATERIALIZE PROJECTION IF EXISTS by_place SETTINGS mutations_sync = 1;
ALTER TABLE inventory_hourly MATERIALIZE PROJECTION IF EXISTS by_device SETTINGS mutations_sync = 1;
