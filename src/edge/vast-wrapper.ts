import { VIDEO_EVENTS, type VideoEvent } from '../events/video-event.ts';

/** The versions of VAST that are spoken here. */
export type VastVersion = '2.0' | '3.0';

/** What our wrapper leads to and what it counts; all absolute addresses. */
export interface Wrapped {
  /** Id of the auction. */
  readonly id: string;
  /** Where the partner's own VAST is. */
  readonly markupUrl: string;
  readonly impressionUrl: string;
  readonly clickUrl: string;
  /** The address that counts an event of the player's. */
  readonly eventUrl: (event: VideoEvent) => string;
  /** An ad above the content instead of one in the stream. */
  readonly nonLinear: boolean;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** The answer when nobody bought: a document without an ad (VAST 2.0 section 2.1, 3.0 section 2.4.1). */
export function emptyVast(version: VastVersion): string {
  return `${DECLARATION}<VAST version="${version}"></VAST>`;
}

/**
 * A wrapper around the VAST tag that an ad space has for when nobody bought. It counts nothing; its
 * impression is there because both versions require the element, which may be empty.
 */
export function backfillVast(version: VastVersion, tagUrl: string): string {
  return (
    `${DECLARATION}<VAST version="${version}"><Ad id="backfill"><Wrapper>` +
    `<AdSystem>Rialto</AdSystem><VASTAdTagURI>${cdata(tagUrl)}</VASTAdTagURI>` +
    '<Impression></Impression><Creatives></Creatives></Wrapper></Ad></VAST>'
  );
}

/**
 * A wrapper around the partner's VAST. Its elements are those of both versions, in the order in
 * which the schema of VAST 2.0 wants them. Error has the player's macro, which it fills itself.
 */
export function vastWrapper(version: VastVersion, wrapped: Wrapped): string {
  const { id, markupUrl, impressionUrl, eventUrl } = wrapped;
  return (
    `${DECLARATION}<VAST version="${version}"><Ad id="${escapeXml(id)}"><Wrapper>` +
    `<AdSystem>Rialto</AdSystem><VASTAdTagURI>${cdata(markupUrl)}</VASTAdTagURI>` +
    `<Error>${cdata(`${eventUrl('error')}?code=[ERRORCODE]`)}</Error>` +
    `<Impression>${cdata(impressionUrl)}</Impression>` +
    `<Creatives><Creative>${creative(version, wrapped)}</Creative></Creatives>` +
    '</Wrapper></Ad></VAST>'
  );
}

/** A wrapper of VAST 2.0 has no place for clicks on what is not linear: there the markup's own count. */
function creative(version: VastVersion, { clickUrl, eventUrl, nonLinear }: Wrapped): string {
  const trackings = VIDEO_EVENTS.map(
    (event) => `<Tracking event="${event}">${cdata(eventUrl(event))}</Tracking>`,
  );
  const events = `<TrackingEvents>${trackings.join('')}</TrackingEvents>`;
  if (!nonLinear) {
    const clicks = `<VideoClicks><ClickTracking>${cdata(clickUrl)}</ClickTracking></VideoClicks>`;
    return `<Linear>${events}${clicks}</Linear>`;
  }
  const click = `<NonLinear><NonLinearClickTracking>${cdata(clickUrl)}</NonLinearClickTracking></NonLinear>`;
  return `<NonLinearAds>${events}${version === '3.0' ? click : ''}</NonLinearAds>`;
}

/** Characters that no XML 1.0 document may have, however they are written (section 2.2). */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Any text as character data. What would end the section is split over two of them. */
export function cdata(text: string): string {
  const clean = text.toWellFormed().replaceAll(NO_XML, '');
  return `<![CDATA[${clean.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Any text as the value of an attribute in double quotes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NO_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
