import type { Ad } from './ask.ts';

/**
 * What markup may do: run, open what a person clicked on, and be a form. The exchange's document
 * has the same in its own policy; here it also holds for wherever the frame goes from there.
 */
const SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation allow-forms';

/** What the exchange's document says once its markup is on the screen. */
const RENDERED = 'rialto:rendered';

/**
 * A frame from the exchange's origin that renders an ad's markup, which its document finds in the
 * frame's name: no message has to be sent, and no address holds it.
 *
 * @param rendered called once, when the markup is there. Only the frame's own window can say so.
 */
export function createAdFrame(base: string, ad: Ad, rendered: () => void): AdFrame {
  const frame = document.createElement('iframe');
  const attributes: Readonly<Record<string, string>> = {
    name: JSON.stringify(ad.adm),
    title: 'Advertisement',
    width: String(ad.w),
    height: String(ad.h),
    scrolling: 'no',
    frameborder: '0',
    sandbox: SANDBOX,
    style: 'border:0;display:block;max-width:none',
    src: base + '/frame.html',
  };
  for (const name of Object.keys(attributes)) frame.setAttribute(name, attributes[name] || '');
  const listen = (event: MessageEvent): void => {
    if (event.data !== RENDERED || event.source !== frame.contentWindow) return;
    stop();
    rendered();
  };
  const stop = (): void => removeEventListener('message', listen);
  addEventListener('message', listen);
  return { frame, stop };
}

export interface AdFrame {
  readonly frame: HTMLIFrameElement;
  /** Listens no more. */
  readonly stop: () => void;
}
