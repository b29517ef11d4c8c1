import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';

type Formats = Pick<ShownAdSpace, 'id' | 'banner' | 'video' | 'native'>;

/** The ad unit of Prebid.js that asks for an ad in the ad space. */
export function prebidAdUnit({ id, banner, video, native }: Formats): string {
  const mediaTypes = [
    ...(banner === null ? [] : [`banner: { sizes: [${banner.sizes.map(sizePair).join(', ')}] }`]),
    ...(video === null
      ? []
      : [
          `video: { context: '${video.outstream === true ? 'outstream' : 'instream'}', playerSize: [${video.w}, ${video.h}] }`,
        ]),
    ...(native === null
      ? []
      : [`native: { ortb: { assets: [/* the ad space’s: 1 title, 2 icon, 3 image, … */] } }`]),
  ];
  return `pbjs.addAdUnits({
  code: 'ad-space-${id}',
  mediaTypes: { ${mediaTypes.join(', ')} },
  bids: [{ bidder: 'rialto', params: { adSpace: ${id} } }],
});`;
}

/** The stored impression of Prebid Server that asks for an ad in the ad space. */
export function prebidStoredImp({ id }: Pick<Formats, 'id'>): string {
  const imp = { tagid: String(id), ext: { prebid: { bidder: { rialto: {} } } } };
  return JSON.stringify({ imp: [imp], source: { fd: 1 } }, null, 2);
}

function sizePair(size: string): string {
  return `[${size.replace('x', ', ')}]`;
}
