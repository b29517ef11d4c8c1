/**
 * What OpenRTB 2.6 (as of 2.6-202606) has otherwise than 2.5, written down from its section 3.2 and 4.2.
 * Left out is what the exchange has no use for: digital out-of-home (`dooh`, `qty`, `dt`), `flashver`,
 * and the provisional `poddedupe`.
 */

/** An object of 2.6: what is new in it, and what is gone. */
export interface Difference {
  /** Fields that are gone; '*' where the whole object is. */
  readonly absent?: string;
  /** New fields by type. */
  readonly added?: Readonly<Record<string, string>>;
  readonly required?: string;
  readonly recommended?: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const POD = { integer: 'poddur podseq slotinpod', string: 'podid', float: 'mincpmpersec' };

export const DIFFERENCES_26: Readonly<Record<string, Difference>> = {
  BidRequest: {
    added: { integer: 'cattax', 'array of string': 'wlangb acat' },
    defaults: { test: 0, at: 2, allimps: 0, cattax: 1 },
  },
  Source: { added: { object: 'schain' }, recommended: 'fd tid pchain schain' },
  Regs: { added: { integer: 'gdpr', string: 'us_privacy gpp', 'array of integer': 'gpp_sid' } },
  'Regs.ext': { absent: '*' },
  Imp: {
    added: { integer: 'rwdd ssai', object: 'refresh' },
    defaults: { instl: 0, bidfloor: 0, bidfloorcur: 'USD', rwdd: 0, ssai: 0 },
  },
  Banner: { absent: 'wmax hmax wmin hmin' },
  Video: {
    absent: 'protocol',
    added: {
      ...POD,
      integer: `${POD.integer} maxseq plcmt`,
      'array of integer': 'rqddurs',
      'array of object': 'durfloors',
    },
    required: 'mimes',
    recommended: 'minduration maxduration protocols w h startdelay maxseq poddur',
    defaults: {
      minduration: 0,
      podseq: 0,
      slotinpod: 0,
      sequence: 0,
      skipmin: 0,
      skipafter: 0,
      boxingallowed: 1,
    },
  },
  Audio: {
    added: {
      ...POD,
      'array of integer': 'rqddurs api',
      'array of object': 'durfloors companionad',
    },
    recommended: 'minduration maxduration protocols startdelay poddur',
    defaults: { minduration: 0, podseq: 0, slotinpod: 0, sequence: 0 },
  },
  Deal: {
    added: { integer: 'guar', float: 'mincpmpersec', 'array of object': 'durfloors' },
    defaults: { bidfloor: 0, bidfloorcur: 'USD', guar: 0 },
  },
  Site: {
    added: { integer: 'cattax', string: 'inventorypartnerdomain', 'array of string': 'kwarray' },
    defaults: { cattax: 1 },
  },
  App: {
    added: { integer: 'cattax', string: 'inventorypartnerdomain', 'array of string': 'kwarray' },
    defaults: { cattax: 1 },
  },
  Publisher: { added: { integer: 'cattax' }, defaults: { cattax: 1 } },
  Content: {
    absent: 'videoquality context',
    added: {
      integer: 'cattax gtax context realtime firstbroadcast',
      string: 'langb',
      object: 'network channel',
      'array of string': 'kwarray genres',
    },
    defaults: { cattax: 1, gtax: 9 },
  },
  Producer: { added: { integer: 'cattax' }, defaults: { cattax: 1 } },
  Device: { added: { object: 'sua', string: 'ipv6 langb mccmnc', integer: 'ppi geofetch' } },
  User: {
    added: { string: 'consent', 'array of object': 'eids', 'array of string': 'kwarray' },
  },
  'User.ext': { absent: '*' },
  Data: { added: { 'array of string': 'cids' } },
  SupplyChain: {
    required: 'complete nodes ver',
    added: { integer: 'complete', 'array of object': 'nodes', string: 'ver', object: 'ext' },
  },
  SupplyChainNode: {
    // 2.6 leaves `hp` optional; version 1.0 of the supply chain wants it.
    required: 'asi sid hp',
    added: { string: 'asi sid rid name domain', integer: 'hp', object: 'ext' },
  },
  EID: {
    added: {
      string: 'inserter source matcher',
      integer: 'mm',
      'array of object': 'uids',
      object: 'ext',
    },
  },
  UID: { added: { string: 'id', integer: 'atype', object: 'ext' } },
  UserAgent: {
    added: {
      'array of object': 'browsers',
      object: 'platform ext',
      integer: 'mobile source',
      string: 'architecture bitness model',
    },
    recommended: 'browsers platform',
    defaults: { source: 0 },
  },
  BrandVersion: {
    required: 'brand',
    added: { string: 'brand', 'array of string': 'version', object: 'ext' },
  },
  Network: { added: { string: 'id name domain', object: 'ext' } },
  Channel: { added: { string: 'id name domain', object: 'ext' } },
  Refresh: {
    added: { 'array of object': 'refsettings', integer: 'count', object: 'ext' },
    recommended: 'refsettings count',
  },
  RefSettings: {
    added: { integer: 'reftype minint', object: 'ext' },
    recommended: 'reftype minint',
    defaults: { reftype: 0 },
  },
  DurFloors: {
    added: { integer: 'mindur maxdur', float: 'bidfloor', object: 'ext' },
    defaults: { bidfloor: 0 },
  },
  Bid: {
    added: {
      integer: 'cattax dur mtype slotinpod',
      string: 'langb',
      'array of integer': 'apis',
    },
    defaults: { cattax: 1, slotinpod: 0 },
  },
};
