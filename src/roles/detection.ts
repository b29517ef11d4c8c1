import type { Logger } from 'pino';
import { CommandError } from '../base/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { NO_DATA_CENTERS, readDataCenterList } from '../enrich/data-centers.ts';
import { createDeviceDetector } from '../enrich/device.ts';
import { createInvalidTrafficFinder, type TrafficLists } from '../enrich/invalid-traffic.ts';
import { openNetworkLookup, type NetworkLookup } from '../enrich/network.ts';
import { followFile } from '../enrich/operator-file.ts';
import { installedSpiders, readSpiderList } from '../enrich/spiders.ts';
import type { Enrichment } from '../exchange/facts.ts';

/** User agents, and addresses, that are remembered with what they say. */
const CACHED_MAX = 20_000;
/** How often an operator's files are looked at for a change. */
const FILES_CHECKED_MS = 2_000;

export type DetectionFiles = Pick<Settings, 'geoDatabase' | 'spiderList' | 'dataCenterList'>;

/** What fills in for requests, and how it ends. */
export interface Detection {
  readonly enrichment: Enrichment;
  close(): void;
}

/**
 * Opens what detection works with: the files that settings name, else what is installed. A file
 * that is replaced while the process runs is checked and taken.
 */
export async function openDetection(files: DetectionFiles, logger: Logger): Promise<Detection> {
  let networkOf = await openNetworkLookup();
  let lists: TrafficLists = { isSpider: installedSpiders(), dataCenters: NO_DATA_CENTERS };
  let findInvalidTraffic = createInvalidTrafficFinder(lists, CACHED_MAX);
  const takeLists = (replaced: Partial<TrafficLists>): void => {
    lists = { ...lists, ...replaced };
    // With an empty memory: what was found by the former list is not known any more.
    findInvalidTraffic = createInvalidTrafficFinder(lists, CACHED_MAX);
  };
  const follow = async <Content>(
    path: string | null,
    load: (path: string) => Promise<Content>,
    take: (content: Content) => void,
  ): Promise<() => void> => {
    if (path === null) return () => {};
    return followFile({ path, load, take, intervalMs: FILES_CHECKED_MS, logger });
  };
  const followed = await Promise.all([
    follow(files.geoDatabase, openNetworkLookup, (lookup: NetworkLookup) => (networkOf = lookup)),
    follow(files.spiderList, readSpiderList, (isSpider) => takeLists({ isSpider })),
    follow(files.dataCenterList, readDataCenterList, (dataCenters) => takeLists({ dataCenters })),
  ]);
  return {
    enrichment: {
      detectDevice: createDeviceDetector({ cacheEntriesMax: CACHED_MAX }),
      networkOf: (ip) => networkOf(ip),
      findInvalidTraffic: (ua, ip) => findInvalidTraffic(ua, ip),
    },
    close: () => {
      for (const end of followed) end();
    },
  };
}

/**
 * Checks the files that settings name, before a node starts with them: later on a file that is
 * unsound is only told to the log.
 *
 * @throws CommandError with what is wrong with each.
 */
export async function checkDetectionFiles(files: DetectionFiles): Promise<void> {
  const checks = [
    check(files.geoDatabase, openNetworkLookup),
    check(files.spiderList, readSpiderList),
    check(files.dataCenterList, readDataCenterList),
  ];
  const faults: string[] = [];
  for (const checked of await Promise.allSettled(checks)) {
    if (checked.status === 'fulfilled') continue;
    if (!(checked.reason instanceof CommandError)) throw checked.reason;
    faults.push(checked.reason.message);
  }
  if (faults.length > 0) throw new CommandError(faults.join('\n'));
}

async function check(path: string | null, load: (path: string) => Promise<unknown>): Promise<void> {
  if (path !== null) await load(path);
}
