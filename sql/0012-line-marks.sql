-- How every line of the journal ends: its number among those of its process, and its checksum. By both,
-- a node's records are found again.

ALTER TABLE money
    ADD COLUMN IF NOT EXISTS line UInt64,
    ADD COLUMN IF NOT EXISTS crc UInt64;
