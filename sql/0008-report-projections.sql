-- What a report by one dimension reads: each part of the two rollups also holds its own sums by who
-- was reached and by where, which are hundreds of times shorter where an account has much traffic.
-- ClickHouse takes them by itself wherever they hold what a query asks for. They belong to the part:
-- they appear and go with it, in the same rename.
--
-- What sums or deletes rows computes them anew; ClickHouse would refuse it otherwise.
ALTER TABLE demand_daily MODIFY SETTING
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild';
ALTER TABLE supply_daily MODIFY SETTING
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild';

ALTER TABLE demand_daily
    ADD PROJECTION IF NOT EXISTS by_audience
    (
        SELECT
            demand_partner_id, date, ad_format, country_code, interstitial, platform, rewarded,
            sum(dsp_requests), sum(bids), sum(wins), sum(impressions), sum(clicks), sum(gross_cpm_micros)
        GROUP BY demand_partner_id, date, ad_format, country_code, interstitial, platform, rewarded
    ),
    ADD PROJECTION IF NOT EXISTS by_inventory
    (
        SELECT
            demand_partner_id, date, app_bundle, app_site_domain,
            sum(dsp_requests), sum(bids), sum(wins), sum(impressions), sum(clicks), sum(gross_cpm_micros)
        GROUP BY demand_partner_id, date, app_bundle, app_site_domain
    );

ALTER TABLE supply_daily
    ADD PROJECTION IF NOT EXISTS by_audience
    (
        SELECT
            publisher_id, date, ad_format, country_code, interstitial, platform, rewarded, os,
            sum(requests), sum(filled_requests), sum(supply_wins), sum(impressions), sum(clicks), sum(payout_cpm_micros)
        GROUP BY publisher_id, date, ad_format, country_code, interstitial, platform, rewarded, os
    ),
    ADD PROJECTION IF NOT EXISTS by_inventory
    (
        SELECT
            publisher_id, date, app_bundle, app_site_domain, zone_id,
            sum(requests), sum(filled_requests), sum(supply_wins), sum(impressions), sum(clicks), sum(payout_cpm_micros)
        GROUP BY publisher_id, date, app_bundle, app_site_domain, zone_id
    );

-- For the parts that are there; in the background, since they serve as they are meanwhile.
ALTER TABLE demand_daily MATERIALIZE PROJECTION IF EXISTS by_audience;
ALTER TABLE demand_daily MATERIALIZE PROJECTION IF EXISTS by_inventory;
ALTER TABLE supply_daily MATERIALIZE PROJECTION IF EXISTS by_audience;
ALTER TABLE supply_daily MATERIALIZE PROJECTION IF EXISTS by_inventory;
