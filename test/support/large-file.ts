/** How many of each there are; each partner, publisher and app has as many of what belongs to it. */
export interface LargeFile {
  readonly partners: number;
  readonly lineItems: number;
  readonly publishers: number;
  readonly apps: number;
  readonly adSpaces: number;
  /** The first line items of each partner, whose floor is another one. */
  readonly changed?: number;
}

/** 25,590 resources in 3.4 MB: as much as a file may have, nearly. */
export const LARGEST: LargeFile = {
  partners: 20,
  lineItems: 500,
  publishers: 50,
  apps: 10,
  adSpaces: 30,
};

/** What a file of that size says without who may use the exchange. */
export function largeFile(size: LargeFile): string {
  const lines = ['demand_partners:'];
  for (let index = 0; index < size.partners; index += 1) lines.push(...partner(size, index));
  lines.push('publishers:');
  for (let index = 0; index < size.publishers; index += 1) lines.push(...publisher(size, index));
  return `${lines.join('\n')}\n`;
}

export function countOf({ partners, lineItems, publishers, apps, adSpaces }: LargeFile): number {
  const bought = partners * (2 + lineItems);
  return bought + publishers * (1 + apps * (1 + adSpaces));
}

function* partner({ lineItems, changed = 0 }: LargeFile, index: number): Generator<string> {
  yield `  - id: ${10_000 + index}`;
  yield `    name: Partner ${index}`;
  yield `    bidder: { endpoint: "https://bid${index}.example/openrtb2", openrtb_version: "2.5", timeout_ms: 200 }`;
  yield '    line_items:';
  for (let at = 0; at < lineItems; at += 1) {
    yield `      - id: ${1 + index * lineItems + at}`;
    yield `        name: Line item ${at} of ${index}`;
    yield `        floor: 0.${at < changed ? 95 : 10 + (at % 80)}`;
    yield `        seat: seat-${index}`;
    yield '        targeting: { geo: { countries: { identifiers: [{ code: US }, { code: DE }], is_whitelist: true } } }';
  }
}

function* publisher({ apps, adSpaces }: LargeFile, index: number): Generator<string> {
  yield `  - id: ${20_000 + index}`;
  yield `    name: Publisher ${index}`;
  yield '    revenue_share: 0.8';
  yield '    apps:';
  for (let at = 0; at < apps; at += 1) {
    const app = index * apps + at;
    yield `      - id: ${100_000 + app}`;
    yield `        name: App ${app}`;
    yield `        bundle: com.example.app${app}`;
    yield '        platform: Android';
    yield '        ad_spaces:';
    for (let slot = 0; slot < adSpaces; slot += 1) {
      const id = 1 + app * adSpaces + slot;
      yield `          - { id: ${id}, name: Slot ${id}, banner: { sizes: [300x250, 320x50] }, floor: 0.1 }`;
    }
  }
}
