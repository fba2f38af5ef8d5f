/** Preloaded into a service (`shiftedClock`): shifts its process's clock by the given time. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const realNow = Date.now;

Date.now = () => realNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + shiftMs] : given, newTarget),
});
