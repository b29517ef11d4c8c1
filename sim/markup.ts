/** What a creative needs to be written down as markup. */
export interface Creative {
  readonly bidId: string;
  /** The advertiser's domain; click-throughs and images are addresses below it. */
  readonly adomain: string;
  readonly w: number;
  readonly h: number;
  /** Where the markup loads its pixel from: an origin, https where the impression asks for it. */
  readonly trackerOrigin: string;
}

/** An HTML banner that draws itself, with a pixel that learns the price and a counted click. */
export function bannerMarkup(creative: Creative): string {
  const { adomain, w, h } = creative;
  const hue = hueOf(adomain);
  const fontSize = Math.max(11, Math.round(Math.min(h / 6, w / 14)));
  // The macro in front of the address makes one of both, at which the exchange counts the click and
  // leads on.
  return (
    `<div style="position:relative;width:${w}px;height:${h}px;overflow:hidden;` +
    `background:linear-gradient(135deg,hsl(${hue} 70% 45%),hsl(${hue + 40} 70% 30%));` +
    `font:600 ${fontSize}px system-ui,sans-serif">` +
    `<a href="\${CLICK_URL}${landingUrl(creative)}" target="_blank" rel="noopener" ` +
    `style="display:flex;width:100%;height:100%;align-items:center;justify-content:center;` +
    `color:#fff;text-decoration:none">${adomain}</a>` +
    `<img src="${pixelUrl(creative)}" width="1" height="1" alt="" ` +
    `style="position:absolute;left:0;top:0"></div>`
  );
}

/** What a VAST document needs beyond the creative. */
export interface Spot {
  readonly version: '2.0' | '3.0';
  readonly durationSeconds: number;
  readonly mime: string;
  readonly bitrateKbps: number;
  /** VAST 3.0 alone has a place for it; undefined means that the spot cannot be skipped. */
  readonly skipAfterSeconds: number | undefined;
}

/** A VAST inline document with one linear spot. */
export function vastMarkup(creative: Creative, spot: Spot): string {
  const { adomain, bidId, w, h } = creative;
  const skip =
    spot.skipAfterSeconds === undefined ? '' : ` skipoffset="${clock(spot.skipAfterSeconds)}"`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><VAST version="${spot.version}"><Ad id="${bidId}">` +
    `<InLine><AdSystem>Simulated bidder</AdSystem><AdTitle>${adomain}</AdTitle>` +
    `<Impression><![CDATA[${pixelUrl(creative)}]]></Impression>` +
    `<Creatives><Creative><Linear${skip}>` +
    `<Duration>${clock(spot.durationSeconds)}</Duration>` +
    `<VideoClicks><ClickThrough><![CDATA[${landingUrl(creative)}]]></ClickThrough>` +
    `<ClickTracking><![CDATA[\${CLICK_URL}]]></ClickTracking></VideoClicks>` +
    `<MediaFiles><MediaFile delivery="progressive" type="${spot.mime}" ` +
    `bitrate="${spot.bitrateKbps}" width="${w}" height="${h}">` +
    `<![CDATA[https://media.${adomain}/spot-${spot.durationSeconds}.mp4]]></MediaFile>` +
    `</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`
  );
}

/** The advertiser's page. */
export function landingUrl({ adomain, bidId }: Creative): string {
  return `https://${adomain}/offer?ref=${bidId}`;
}

/** The pixel that tells the bidder of an impression and its price. */
export function pixelUrl({ trackerOrigin, bidId }: Creative): string {
  return `${trackerOrigin}/notice/impression?bid=${bidId}&price=\${AUCTION_PRICE}`;
}

/** A colour of its own for every advertiser, so that winners can be told apart on a page. */
function hueOf(adomain: string): number {
  let sum = 0;
  for (const letter of adomain) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}

function clock(seconds: number): string {
  const part = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}
