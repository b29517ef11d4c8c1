/**
 * The tables of the spec's sections 2 and 10, written down: what the schemas and their documentation
 * are held against. An object that is not here is an extension of the exchange's own, or of 2.6.
 */
import { DIFFERENCES_26, type Difference } from './spec-fixtures-26.ts';
import type { OpenRtbVersion } from './versions.ts';

/** One object of section 2, its fields by scope, type and default, in version 2.5. */
export interface SpecTable {
  readonly name: string;
  readonly required: string;
  readonly recommended: string;
  readonly optional: string;
  /** Fields by type, as the spec writes it. */
  readonly types: Readonly<Record<string, string>>;
  /** Defaults that are a value; where omission means "all" or "unknown" it is not one. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What section 10 says of the object; undefined where it says nothing. */
  readonly in22?: Difference;
}

const NO_DEFAULTS = {};

const SPEC_TABLES: readonly SpecTable[] = [
  {
    name: 'BidRequest',
    required: 'id imp',
    recommended: 'site app device user',
    optional: 'test at tmax wseat bseat allimps cur wlang bcat badv bapp source regs ext',
    types: {
      string: 'id',
      integer: 'test at tmax allimps',
      object: 'site app device user source regs ext',
      'array of object': 'imp',
      'array of string': 'wseat bseat cur wlang bcat badv bapp',
    },
    defaults: { test: 0, at: 2, allimps: 0 },
    in22: { absent: 'test bseat wlang bapp source' },
  },
  {
    name: 'Source',
    required: '',
    recommended: 'fd tid pchain',
    optional: 'ext',
    types: { integer: 'fd', string: 'tid pchain', object: 'ext' },
    defaults: NO_DEFAULTS,
    in22: { absent: '*' },
  },
  {
    name: 'Regs',
    required: '',
    recommended: '',
    optional: 'coppa ext',
    types: { integer: 'coppa', object: 'ext' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Regs.ext',
    required: '',
    recommended: '',
    optional: 'gdpr us_privacy gpp gpp_sid',
    types: { integer: 'gdpr', string: 'us_privacy gpp', 'array of integer': 'gpp_sid' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Imp',
    required: 'id',
    recommended: 'displaymanager displaymanagerver',
    optional:
      'metric banner video audio native pmp instl tagid bidfloor bidfloorcur clickbrowser secure iframebuster exp ext',
    types: {
      string: 'id displaymanager displaymanagerver tagid bidfloorcur',
      integer: 'instl clickbrowser secure exp',
      float: 'bidfloor',
      object: 'banner video audio native pmp ext',
      'array of object': 'metric',
      'array of string': 'iframebuster',
    },
    defaults: { instl: 0, bidfloor: 0, bidfloorcur: 'USD' },
    in22: { absent: 'metric audio native clickbrowser exp' },
  },
  {
    name: 'Metric',
    required: 'type value',
    recommended: 'vendor',
    optional: 'ext',
    types: { string: 'type vendor', float: 'value', object: 'ext' },
    defaults: NO_DEFAULTS,
    in22: { absent: '*' },
  },
  {
    name: 'Banner',
    required: '',
    recommended: 'w h format',
    optional: 'wmax hmax wmin hmin id btype battr pos mimes topframe expdir api vcm ext',
    types: {
      integer: 'w h wmax hmax wmin hmin pos topframe vcm',
      string: 'id',
      object: 'ext',
      'array of object': 'format',
      'array of integer': 'btype battr expdir api',
      'array of string': 'mimes',
    },
    defaults: NO_DEFAULTS,
    in22: { absent: 'format vcm', recommended: 'w h', defaults: { topframe: 0 } },
  },
  {
    name: 'Video',
    required: 'mimes minduration maxduration',
    recommended: 'protocols w h startdelay',
    optional:
      'protocol placement linearity skip skipmin skipafter sequence battr maxextended minbitrate maxbitrate boxingallowed playbackmethod playbackend delivery pos companionad api companiontype ext',
    types: {
      integer:
        'minduration maxduration protocol w h startdelay placement linearity skip skipmin skipafter sequence maxextended minbitrate maxbitrate boxingallowed playbackend pos',
      object: 'ext',
      'array of string': 'mimes',
      'array of integer': 'protocols battr playbackmethod delivery api companiontype',
      'array of object': 'companionad',
    },
    defaults: {
      minduration: 5,
      maxduration: 60,
      linearity: 1,
      skipmin: 0,
      skipafter: 0,
      minbitrate: 250,
      maxbitrate: 4000,
      boxingallowed: 1,
    },
    in22: {
      absent: 'skip skipmin skipafter placement playbackend delivery',
      added: { 'array of integer': 'deliver' },
      defaults: {
        minduration: 5,
        maxduration: 60,
        linearity: 1,
        sequence: 1,
        boxingallowed: 1,
        pos: 0,
      },
    },
  },
  {
    name: 'Audio',
    required: 'mimes',
    recommended: 'minduration maxduration protocols startdelay',
    optional:
      'sequence battr maxextended minbitrate maxbitrate delivery companiontype maxseq feed stitched nvol ext',
    types: {
      integer:
        'minduration maxduration startdelay sequence maxextended minbitrate maxbitrate maxseq feed stitched nvol',
      object: 'ext',
      'array of string': 'mimes',
      'array of integer': 'protocols battr delivery companiontype',
    },
    defaults: NO_DEFAULTS,
    in22: { absent: '*' },
  },
  {
    name: 'Native',
    required: 'request',
    recommended: 'ver',
    optional: 'api battr ext',
    types: { string: 'request ver', object: 'ext', 'array of integer': 'api battr' },
    defaults: { ver: '1.1' },
  },
  {
    name: 'Format',
    required: '',
    recommended: 'w h',
    optional: 'wratio hratio wmin ext',
    types: { integer: 'w h wratio hratio wmin', object: 'ext' },
    defaults: NO_DEFAULTS,
    in22: { absent: '*' },
  },
  {
    name: 'Pmp',
    required: '',
    recommended: '',
    optional: 'private_auction deals ext',
    types: { integer: 'private_auction', object: 'ext', 'array of object': 'deals' },
    defaults: { private_auction: 1 },
  },
  {
    name: 'Deal',
    required: 'id',
    recommended: '',
    optional: 'bidfloor bidfloorcur at wseat wadomain ext',
    types: {
      string: 'id bidfloorcur',
      float: 'bidfloor',
      integer: 'at',
      object: 'ext',
      'array of string': 'wseat wadomain',
    },
    defaults: { bidfloor: 0, bidfloorcur: 'USD' },
  },
  {
    name: 'Site',
    required: '',
    recommended: 'id',
    optional:
      'name domain cat sectioncat pagecat page ref search mobile privacypolicy publisher content keywords ext',
    types: {
      string: 'id name domain page ref search keywords',
      integer: 'mobile privacypolicy',
      object: 'publisher content ext',
      'array of string': 'cat sectioncat pagecat',
    },
    defaults: NO_DEFAULTS,
    in22: { absent: 'mobile', recommended: 'id page' },
  },
  {
    name: 'App',
    required: '',
    recommended: 'id',
    optional:
      'name bundle domain storeurl cat sectioncat pagecat ver privacypolicy paid publisher content keywords ext',
    types: {
      string: 'id name bundle domain storeurl ver keywords',
      integer: 'privacypolicy paid',
      object: 'publisher content ext',
      'array of string': 'cat sectioncat pagecat',
    },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Publisher',
    required: '',
    recommended: '',
    optional: 'id name cat domain ext',
    types: { string: 'id name domain', object: 'ext', 'array of string': 'cat' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Content',
    required: '',
    recommended: '',
    optional:
      'id title series season artist genre album isrc producer url context contentrating userrating keywords language episode prodq videoquality qagmediarating livestream sourcerelationship len embeddable cat data ext',
    types: {
      string:
        'id title series season artist genre album isrc url context contentrating userrating keywords language',
      integer:
        'episode prodq videoquality qagmediarating livestream sourcerelationship len embeddable',
      object: 'producer ext',
      'array of string': 'cat',
      'array of object': 'data',
    },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Producer',
    required: '',
    recommended: '',
    optional: 'id name domain cat ext',
    types: { string: 'id name domain', object: 'ext', 'array of string': 'cat' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Device',
    required: '',
    recommended: 'ua geo lmt dnt ip',
    optional:
      'devicetype make model os osv hwv h w pxratio js language carrier connectiontype ifa didsha1 didmd5 dpidsha1 dpidmd5 ext',
    types: {
      string: 'ua ip make model os osv hwv language carrier ifa didsha1 didmd5 dpidsha1 dpidmd5',
      integer: 'lmt dnt devicetype h w js connectiontype',
      float: 'pxratio',
      object: 'geo ext',
    },
    defaults: NO_DEFAULTS,
    in22: { absent: 'lmt hwv h w pxratio', recommended: 'ua geo dnt ip' },
  },
  {
    name: 'Geo',
    required: '',
    recommended: 'type',
    optional:
      'lat lon accuracy lastfix ipservice country region regionfips104 metro city zip utcoffset ext',
    types: {
      float: 'lat lon',
      integer: 'type accuracy lastfix ipservice utcoffset',
      string: 'country region regionfips104 metro city zip',
      object: 'ext',
    },
    defaults: NO_DEFAULTS,
    in22: { absent: 'accuracy lastfix ipservice utcoffset' },
  },
  {
    name: 'User',
    required: '',
    recommended: 'id buyeruid',
    optional: 'yob gender keywords customdata geo data ext',
    types: {
      string: 'id buyeruid gender keywords customdata',
      integer: 'yob',
      object: 'geo ext',
      'array of object': 'data',
    },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'User.ext',
    required: '',
    recommended: '',
    // The ids are where 2.5's writers have put what 2.6 made a field.
    optional: 'consent eids',
    types: { string: 'consent', 'array of object': 'eids' },
    defaults: NO_DEFAULTS,
    in22: { absent: 'eids' },
  },
  {
    name: 'Data',
    required: '',
    recommended: '',
    optional: 'id name segment ext',
    types: { string: 'id name', object: 'ext', 'array of object': 'segment' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Segment',
    required: '',
    recommended: '',
    optional: 'id name value ext',
    types: { string: 'id name value', object: 'ext' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Native request',
    required: 'assets',
    recommended: 'context plcmttype',
    optional: 'ver contextsubtype plcmtcnt seq layout adunit ext',
    types: {
      string: 'ver',
      integer: 'context contextsubtype plcmttype plcmtcnt seq layout adunit',
      object: 'ext',
      'array of object': 'assets',
    },
    defaults: { ver: '1.1', plcmttype: 1, plcmtcnt: 1, seq: 0 },
  },
  {
    name: 'Native asset',
    required: 'id',
    recommended: '',
    // The sample request of the spec has `image`.
    optional: 'required title img image data video ext',
    types: { integer: 'id required', object: 'title img image data video ext' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Native title',
    required: 'len',
    recommended: '',
    optional: 'ext',
    types: { integer: 'len', object: 'ext' },
    defaults: { len: 140 },
  },
  {
    name: 'Native image',
    required: '',
    recommended: '',
    optional: 'type w h wmin hmin mimes ext',
    types: { integer: 'type w h wmin hmin', 'array of string': 'mimes', object: 'ext' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'Native data',
    required: 'type',
    recommended: '',
    optional: 'len ext',
    types: { integer: 'type len', object: 'ext' },
    defaults: NO_DEFAULTS,
  },
  {
    name: 'BidResponse',
    required: 'id',
    recommended: '',
    optional: 'seatbid bidid cur customdata nbr ext',
    types: {
      string: 'id bidid cur customdata',
      integer: 'nbr',
      object: 'ext',
      'array of object': 'seatbid',
    },
    defaults: { cur: 'USD' },
  },
  {
    name: 'SeatBid',
    required: 'bid',
    recommended: '',
    optional: 'seat group ext',
    types: { string: 'seat', integer: 'group', object: 'ext', 'array of object': 'bid' },
    defaults: { group: 0 },
  },
  {
    name: 'Bid',
    required: 'id impid price',
    recommended: '',
    optional:
      'adid nurl burl lurl adm adomain iurl cid crid api bundle attr cat dealid h w ext tactic protocol qagmediarating language wratio hratio exp',
    types: {
      string: 'id impid adid nurl burl lurl adm iurl cid crid bundle dealid tactic language',
      float: 'price',
      integer: 'api h w protocol qagmediarating wratio hratio exp',
      object: 'ext',
      'array of string': 'adomain cat',
      'array of integer': 'attr',
    },
    defaults: NO_DEFAULTS,
    in22: {
      absent: 'burl lurl api bundle cat tactic protocol qagmediarating language wratio hratio exp',
    },
  },
];

/** An object as a version has it; null where it has none. */
export function specIn(name: string, version: OpenRtbVersion): SpecObject | null {
  const table = SPEC_TABLES.find((each) => each.name === name);
  const start = table === undefined ? null : objectOf(table);
  if (version === '2.5') return start;
  if (version === '2.6') return changed(start ?? NOTHING, DIFFERENCES_26[name] ?? {});
  return start === null ? null : changed(start, table?.in22 ?? {});
}

/** Every object that a version has. */
export function specObjects(version: OpenRtbVersion): SpecObject[] {
  const names = new Set([...SPEC_TABLES.map((each) => each.name), ...Object.keys(DIFFERENCES_26)]);
  return [...names].flatMap((name) => {
    const found = specIn(name, version);
    return found === null ? [] : [{ ...found, name }];
  });
}

/** The types of its fields, their scopes where they are not optional, and their defaults. */
export interface SpecObject {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
  readonly required: readonly string[];
  readonly recommended: readonly string[];
  readonly defaults: Readonly<Record<string, unknown>>;
}

const NOTHING: SpecObject = {
  name: '',
  types: new Map(),
  required: [],
  recommended: [],
  defaults: NO_DEFAULTS,
};

function objectOf({ name, types, required, recommended, defaults }: SpecTable): SpecObject {
  return {
    name,
    types: typesOf(types),
    required: words(required),
    recommended: words(recommended),
    defaults,
  };
}

function typesOf(fields: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([type, names]) =>
      words(names).map((name): [string, string] => [name, type]),
    ),
  );
}

function changed(object: SpecObject, difference: Difference): SpecObject | null {
  if (difference.absent === '*') return null;
  const gone = new Set(words(difference.absent ?? ''));
  const types = new Map([...object.types].filter(([name]) => !gone.has(name)));
  for (const [name, type] of typesOf(difference.added ?? {})) types.set(name, type);
  const isThere = (name: string): boolean => types.has(name);
  const required = difference.required === undefined ? object.required : words(difference.required);
  const recommended =
    difference.recommended === undefined ? object.recommended : words(difference.recommended);
  return {
    name: object.name,
    types,
    required: required.filter(isThere),
    recommended: recommended.filter(isThere),
    defaults:
      difference.defaults ??
      Object.fromEntries(Object.entries(object.defaults).filter(([name]) => isThere(name))),
  };
}

/** The words of a text, sorted. */
export function words(text: string): string[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .sort();
}
