/** A country that traffic comes from. */
export interface Place {
  /** ISO 3166-1 alpha-3, as OpenRTB has it. */
  readonly country: string;
  /** Its share of the traffic, relative to the others. */
  readonly weight: number;
  readonly privacy: 'gdpr' | 'us' | 'none';
  /** ISO-639-1 alpha-2, the most spoken first. */
  readonly languages: readonly string[];
  /** First halves of IPv4 blocks (/16) of its access providers. */
  readonly ipPrefixes: readonly string[];
  /** Latitude and longitude of some of its cities. */
  readonly cities: readonly (readonly [lat: number, lon: number])[];
}

/**
 * Where the simulated users are. Each block was looked up whole in the public registries' country
 * data, so that an exchange that derives the country from the address arrives at the same.
 */
export const PLACES: readonly Place[] = [
  place('USA', 38, 'us', ['en', 'es'], '73.10 24.16 98.200 71.60 174.200 107.77 172.56', [
    [40.71, -74.01],
    [34.05, -118.24],
    [41.88, -87.63],
  ]),
  place('GBR', 9, 'gdpr', ['en'], '81.130 86.130 90.192 109.144', [
    [51.51, -0.13],
    [53.48, -2.24],
  ]),
  place('DEU', 9, 'gdpr', ['de'], '79.200 84.140 87.150 91.10', [
    [52.52, 13.4],
    [48.14, 11.58],
  ]),
  place('FRA', 6, 'gdpr', ['fr'], '90.10 86.200 82.64 92.150', [[48.86, 2.35]]),
  place('ESP', 4, 'gdpr', ['es', 'ca'], '83.40 88.10 79.150', [[40.42, -3.7]]),
  place('ITA', 4, 'gdpr', ['it'], '79.10 87.10 151.30 93.40', [[41.9, 12.5]]),
  place('NLD', 3, 'gdpr', ['nl', 'en'], '84.80 77.160 86.80', [[52.37, 4.9]]),
  place('POL', 3, 'gdpr', ['pl'], '83.10 79.190 31.60', [[52.23, 21.01]]),
  place('SWE', 2, 'gdpr', ['sv'], '81.230 90.230 78.70', [[59.33, 18.07]]),
  place('CAN', 4, 'none', ['en', 'fr'], '70.50 142.160 99.230 24.200', [[43.65, -79.38]]),
  place('BRA', 5, 'none', ['pt'], '177.40 187.20 179.100', [[-23.55, -46.63]]),
  place('MEX', 3, 'none', ['es'], '189.150 187.190', [[19.43, -99.13]]),
  place('JPN', 4, 'none', ['ja'], '126.20 153.150 60.100 219.110', [[35.68, 139.69]]),
  place('IND', 4, 'none', ['en', 'hi'], '117.200 49.40 106.200 157.40', [[19.08, 72.88]]),
  place('AUS', 2, 'none', ['en'], '1.130 121.210 110.140 58.160', [[-33.87, 151.21]]),
];

type Columns = readonly [
  country: string,
  weight: number,
  privacy: Place['privacy'],
  languages: Place['languages'],
  ipPrefixes: string,
  cities: Place['cities'],
];

function place(...[country, weight, privacy, languages, ipPrefixes, cities]: Columns): Place {
  return { country, weight, privacy, languages, ipPrefixes: ipPrefixes.split(' '), cities };
}
