import { pino } from "pino";

export type Logger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** One wide JSON line per request, batch or attempt, on standard output. Never keys, secrets, names or bodies. */
export function createLogger(service: string, level: string = "info"): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
