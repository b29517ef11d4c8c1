/** How long before a key may have moved the focus into a frame. */
const KEY_MS = 300;
/** How often a frame under the pointer is looked at. */
const LOOK_MS = 200;

/**
 * Calls once when a person clicks into a frame. The only sign of it that comes out of a foreign
 * origin is that the frame takes the focus. A key that moves the focus, and a script that takes it
 * while nobody touches the page, are no clicks.
 *
 * @returns what ends it.
 */
export function onClickInto(frame: HTMLIFrameElement, clicked: () => void): () => void {
  let keyMs = -KEY_MS;
  let timer = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') keyMs = performance.now();
  };
  const look = (): void => {
    if (document.activeElement !== frame || performance.now() - keyMs < KEY_MS) return;
    const { userActivation } = navigator;
    if (userActivation && !userActivation.isActive) return;
    stop();
    clicked();
  };
  // From one frame to another the focus goes without the page losing it.
  const onEnter = (): void => {
    if (document.activeElement !== frame) timer = setInterval(look, LOOK_MS);
  };
  const onLeave = (): void => clearInterval(timer);
  const stop = (): void => {
    onLeave();
    removeEventListener('keydown', onKey, true);
    removeEventListener('blur', look);
    frame.removeEventListener('mouseenter', onEnter);
    frame.removeEventListener('mouseleave', onLeave);
  };
  addEventListener('keydown', onKey, true);
  addEventListener('blur', look);
  frame.addEventListener('mouseenter', onEnter);
  frame.addEventListener('mouseleave', onLeave);
  return stop;
}
