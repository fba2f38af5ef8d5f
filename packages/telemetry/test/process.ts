import { registerHooks } from "node:module";

/** A process with one step in a trace. Prints which of OpenTelemetry's packages it has loaded. */
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const [, name] = /@opentelemetry\/([\w-]+)\/(?!.*@opentelemetry\/)/.exec(url) ?? [];
    if (name) loaded.add(name);
    return next(url, context);
  },
});
const { inTrace, startTracing, traces } = await import("../src/index.ts");
await startTracing("process");
const component = traces({ warn: () => {} });
await component.start();
await inTrace(
  undefined,
  () => ({ name: "step", kind: "INTERNAL" }),
  async () => {},
);
const began = performance.now();
await component.stop();
process.stdout.write(JSON.stringify({ loaded: [...loaded], stopMs: performance.now() - began }));
process.exit(0);
