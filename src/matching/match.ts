/**
 * What one demand partner keeps of one user in the exchange's cookie. Each value has the second in
 * which it was set, so that cookies that were written side by side can be brought together.
 */
export interface Match {
  /** The partner's id of the user; empty for none. */
  readonly uid: string;
  /** Unix time in seconds; 0 for never. A later one with an empty value says that it was removed. */
  readonly uidSetS: number;
  /** What the partner had kept with `customdata`; empty for none. */
  readonly customdata: string;
  readonly customdataSetS: number;
  /** When the partner's address was last put on a page. */
  readonly offeredS: number;
}

/** By the partners' ids. */
export type Matches = ReadonlyMap<number, Match>;

export const NO_MATCH: Match = Object.freeze({
  uid: '',
  uidSetS: 0,
  customdata: '',
  customdataSetS: 0,
  offeredS: 0,
});

/** How long an id, or a partner's data, is kept after it was set. */
export const MATCH_KEPT_S = 90 * 24 * 60 * 60;

/** Characters of an id. */
export const UID_LENGTH_MAX = 256;

/** Bytes of what a partner may have kept. */
const CUSTOMDATA_BYTES_MAX = 256;

/** No space, quote or angle bracket, and no brace or dollar: those are of a macro that nobody filled. */
const UID = /^[!#%&()*+,\-./0-9:;=?@A-Z[\]^_a-z|~]+$/;

export function isUid(text: string): boolean {
  return text.length <= UID_LENGTH_MAX && UID.test(text);
}

/** Whether a bidder's `customdata` is kept: what is too long is not cut, because half of it says nothing. */
export function isKeepable(customdata: string): boolean {
  return (
    customdata.length <= CUSTOMDATA_BYTES_MAX &&
    Buffer.byteLength(customdata) <= CUSTOMDATA_BYTES_MAX
  );
}

/** One match of two that were written apart: of each value the one that was set last. */
export function mergeMatches(one: Match, other: Match): Match {
  const uid = one.uidSetS >= other.uidSetS ? one : other;
  const data = one.customdataSetS >= other.customdataSetS ? one : other;
  return {
    uid: uid.uid,
    uidSetS: uid.uidSetS,
    customdata: data.customdata,
    customdataSetS: data.customdataSetS,
    offeredS: Math.max(one.offeredS, other.offeredS),
  };
}

/** The match without what has expired. */
export function liveMatch(match: Match, nowS: number): Match {
  const keepsUid = isLive(match.uidSetS, nowS);
  const keepsData = isLive(match.customdataSetS, nowS);
  if (keepsUid && keepsData) return match;
  return {
    ...match,
    ...(keepsUid ? {} : { uid: '', uidSetS: 0 }),
    ...(keepsData ? {} : { customdata: '', customdataSetS: 0 }),
  };
}

function isLive(setS: number, nowS: number): boolean {
  return setS === 0 || nowS < setS + MATCH_KEPT_S;
}

/** Whether a match still says something: a value, or that the partner was asked lately. */
export function saysSomething({ uid, customdata, offeredS }: Match, sinceS: number): boolean {
  return uid !== '' || customdata !== '' || offeredS > sinceS;
}

/** The match of a partner of which nothing may be kept; it undoes what was written before. */
export function emptiedMatch(match: Match, nowS: number): Match {
  return { ...match, uid: '', uidSetS: nowS, customdata: '', customdataSetS: nowS };
}

/** When anything of it was last touched, for what has to go when room is short. */
export function lastTouchedS({
  uid,
  uidSetS,
  customdata,
  customdataSetS,
  offeredS,
}: Match): number {
  // What holds a value goes after what merely remembers that a partner was asked.
  const held = Math.max(uid === '' ? 0 : uidSetS, customdata === '' ? 0 : customdataSetS);
  return held === 0 ? offeredS - MATCH_KEPT_S : held;
}
