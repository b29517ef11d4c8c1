// Loaded before a node's own code (`noon.ts`): its day began twelve hours ago and ends in twelve,
// whenever the tests run. The clock goes on as fast as ever.
const RealDate = Date;

function now(): number {
  return RealDate.now() + Number(process.env['TEST_CLOCK_OFFSET_MS']);
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts: unknown[], newTarget) =>
    Object(Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget)),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
