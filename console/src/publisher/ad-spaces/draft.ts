import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';
import { NEW_AD_SPACE } from '../../api/new-resources.ts';

/** Keys that are not there, or undefined, are not sent, or taken away. */
type Typed<Settings> = { [Key in keyof Settings]?: Settings[Key] | undefined };

export type BannerDraft = NonNullable<ShownAdSpace['banner']>;
export type VideoDraft = Typed<NonNullable<ShownAdSpace['video']>>;
export type NativeDraft = Typed<NonNullable<ShownAdSpace['native']>>;
export type BackfillDraft = Typed<NonNullable<ShownAdSpace['backfill']>>;

type Given = Omit<ShownAdSpace, 'id' | 'created_at' | 'updated_at'>;

/** An ad space while it is typed; the server gives the rest. */
export type AdSpaceDraft = Omit<Given, 'video' | 'native' | 'backfill'> & {
  video: VideoDraft | null;
  native: NativeDraft | null;
  backfill: BackfillDraft | null;
  readonly id?: number;
};

export const NEW_BANNER: BannerDraft = { sizes: ['300x250'] };

export const NEW_VIDEO: VideoDraft = { w: 640, h: 360, minduration: 5, maxduration: 30 };

export const NEW_NATIVE: NativeDraft = {
  title: 90,
  icon: '80x80',
  image: '1200x627',
  description: 140,
  cta: 15,
};

/** What the form of a new ad space begins with. */
export const NEW_DRAFT: AdSpaceDraft = {
  ...NEW_AD_SPACE,
  app_id: null,
  site_id: null,
  video: null,
  native: null,
  backfill: null,
  banner: NEW_BANNER,
  floor: 0.1,
};

interface Kind {
  readonly value: string;
  readonly label: string;
  readonly settings: Partial<AdSpaceDraft>;
}

const BANNER_KIND: Kind = { value: 'banner', label: 'Banner', settings: { banner: NEW_BANNER } };

/** Usual kinds of ad spaces, to begin with. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  BANNER_KIND,
  { value: 'video', label: 'Video', settings: { video: { ...NEW_VIDEO, placement: 1 } } },
  {
    value: 'outstream',
    label: 'Outstream video',
    settings: { video: { ...NEW_VIDEO, placement: 3, outstream: true } },
  },
  { value: 'native', label: 'Native', settings: { native: NEW_NATIVE } },
  {
    value: 'interstitial',
    label: 'Interstitial',
    settings: {
      banner: { sizes: ['320x480'] },
      video: { ...NEW_VIDEO, w: 320, h: 480 },
      interstitial: true,
      pos: 7,
    },
  },
  {
    value: 'rewarded',
    label: 'Rewarded video',
    settings: { video: { ...NEW_VIDEO, skip: 0 }, rewarded: true, interstitial: true, pos: 7 },
  },
];

/** What a kind sets, and what it takes back of the others. */
export function settingsOf(kind: string): Partial<AdSpaceDraft> {
  const { settings } = KINDS.find(({ value }) => value === kind) ?? BANNER_KIND;
  return {
    banner: null,
    video: null,
    native: null,
    interstitial: false,
    rewarded: false,
    pos: null,
    backfill: null,
    ...settings,
  };
}

/** `banner 300x250, video 640x360`. */
export function describeFormats({
  banner,
  video,
  native,
}: Pick<ShownAdSpace, 'banner' | 'video' | 'native'>): string {
  return [
    ...(banner === null ? [] : [`banner ${describeSizes(banner.sizes)}`]),
    ...(video === null ? [] : [`video ${video.w}x${video.h}`]),
    ...(native === null ? [] : ['native']),
  ].join('; ');
}

const SIZES_SHOWN = 3;

function describeSizes(sizes: readonly string[]): string {
  const more = sizes.length - SIZES_SHOWN;
  return sizes.slice(0, SIZES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
