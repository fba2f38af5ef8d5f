/**
 * Loaded before a service (`NODE_OPTIONS=--import …`): shifts the clock of its process by CLOCK_OFFSET_MS. Timers and
 * PostgreSQL keep the true time.
 */
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const True = Date;
const now = () => True.now() + offset;
const Shifted = new Proxy(True, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  apply: () => new True(now()).toString(),
  get: (target, property) => (property === "now" ? now : Reflect.get(target, property)),
});
True.prototype.constructor = Shifted;
globalThis.Date = Shifted;
