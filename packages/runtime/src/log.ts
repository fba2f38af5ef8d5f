import { isTracing, traceFields } from "@collect/telemetry";
import { pino, stdSerializers } from "pino";

export type Logger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/**
 * One wide JSON line per request, batch or attempt, on standard output, with the ids of its trace if there is one. Never keys,
 * secrets, names or bodies.
 */
export function createLogger(service: string, level: string = "info"): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: withoutData },
    ...(isTracing() && { mixin: traceFields }),
  });
}

/** The properties in which databases and parsers put their input: names, amounts, whole rows. */
const DATA = new Set(["detail", "where", "hint", "internalQuery", "values", "issues", "input", "raw", "data"]);

/** An error with its cause and stack, without the data it is about. */
function withoutData(error: unknown): unknown {
  return error instanceof Error ? stripped({ ...stdSerializers.errWithCause(error) }) : error;
}

function stripped(error: Record<string, unknown>): Record<string, unknown> {
  const safe = Object.entries(error).filter(([name]) => !DATA.has(name));
  return Object.fromEntries(safe.map(([name, value]) => [name, isObject(value) ? stripped(value) : value]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
