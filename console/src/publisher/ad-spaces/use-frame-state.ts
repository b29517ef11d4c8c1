import { useEffect, useState, type RefObject } from 'react';
import { filledIn } from './frame-message.ts';

/** `silent`: nothing came, such as from an app's ad space that nobody bought, or an exchange that is away. */
export type FrameState = 'loading' | 'filled' | 'empty' | 'silent';

const SILENCE_MS = 5_000;

/**
 * What has become of a frame that asks the exchange for an ad. Its document says so by `postMessage`.
 *
 * @param key changes with each time that the frame is loaded.
 */
export function useFrameState(frame: RefObject<HTMLIFrameElement | null>, key: string): FrameState {
  const [told, setTold] = useState<{ readonly key: string; readonly state: FrameState } | null>(
    null,
  );
  useEffect(() => {
    const tell = (state: FrameState): void => setTold({ key, state });
    const timer = setTimeout(() => tell('silent'), SILENCE_MS);
    const listen = ({ source, data }: MessageEvent<unknown>): void => {
      // The frame is in a sandbox, so that its origin is nobody's: its window says who it is.
      const filled = source === frame.current?.contentWindow ? filledIn(data) : null;
      if (filled === null) return;
      clearTimeout(timer);
      tell(filled ? 'filled' : 'empty');
    };
    window.addEventListener('message', listen);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('message', listen);
    };
  }, [frame, key]);
  return told?.key === key ? told.state : 'loading';
}
