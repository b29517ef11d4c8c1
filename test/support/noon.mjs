// Loaded before a node's own code (`--import`): its day has begun twelve hours ago and ends in twelve,
// whenever the tests run. Clocks go on as fast as ever.
const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
};
