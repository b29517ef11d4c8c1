-- Which loads each rollup was filled from last: the step is noted before it is run, and the same step run
-- again changes nothing (src/analytics/step-rollups.ts). It stands beside the rollups, so that a copy of the
-- store, or an older one, says what its own rollups hold. The greatest step of a rollup counts.
CREATE TABLE IF NOT EXISTS rollup_steps
(
    rollup LowCardinality(String),
    step UInt64,
    first UInt64,
    last UInt64
)
ENGINE = ReplacingMergeTree(step)
ORDER BY rollup
SETTINGS
    fsync_after_insert = 1,
    fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1;
