import { definedField } from '../base/fields.ts';
import { AppSchema } from '../openrtb/app.ts';
import type { Banner } from '../openrtb/banner.ts';
import { RegsSchema } from '../openrtb/bid-request.ts';
import { createConverter } from '../openrtb/convert.ts';
import { DeviceSchema } from '../openrtb/device.ts';
import { ImpSchema, type Imp } from '../openrtb/imp.ts';
import { SiteSchema } from '../openrtb/site.ts';
import { UserSchema } from '../openrtb/user.ts';
import { VideoProtocol } from '../openrtb/video-lists.ts';
import type { OpenRtbVersion } from '../openrtb/versions.ts';

/** What is described once, as the tables of OpenRTB have it, is written in the bidder's version. */
export const inVersion = {
  '2.6': writersFor('2.6'),
  '2.5': writersFor('2.5'),
  '2.2': { ...writersFor('2.2'), imp: impIn22 },
} as const satisfies Record<OpenRtbVersion, object>;

function writersFor(version: OpenRtbVersion) {
  return {
    imp: createConverter(ImpSchema, version, 'tables'),
    app: createConverter(AppSchema, version, 'tables'),
    site: createConverter(SiteSchema, version, 'tables'),
    device: createConverter(DeviceSchema, version, 'tables'),
    user: createConverter(UserSchema, version, 'tables'),
    regs: createConverter(RegsSchema, version, 'tables'),
  };
}

const convertImp = createConverter(ImpSchema, '2.2', 'tables');

/** 2.2 says in fields of its own what later versions say otherwise or need not say. */
function impIn22(imp: Imp): Imp {
  const converted = convertImp(imp);
  const { banner, video } = converted;
  return {
    ...converted,
    ...definedField('banner', banner !== undefined && imp.instl === 1 ? rangeUpTo(banner) : banner),
    // VAST 2.0 is what the player takes in any case, so it is the one protocol for who reads but one.
    ...definedField('video', video && { ...video, protocol: VideoProtocol.Vast2 }),
  };
}

/** An interstitial takes what is not larger than its size. */
function rangeUpTo(banner: Banner): Banner {
  const { w, h } = banner;
  return { ...banner, ...definedField('wmax', w), ...definedField('hmax', h) };
}
