import { EVENT_LOOP, type LoopClock } from './loop-wait.ts';

/**
 * The clocks of an event loop that has slept all the time: on a busy machine, too, nothing has waited for
 * it, and nobody is refused for want of time.
 */
export const NO_WAIT: LoopClock = { ...EVENT_LOOP, sleptMs: EVENT_LOOP.now };
