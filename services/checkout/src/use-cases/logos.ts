import type { Bus } from "@collect/bus";
import { getLogo, type LogoType, notFound, Problem } from "@collect/contracts";
import { LRUCache } from "lru-cache";

export type Logo = { type: LogoType; bytes: Buffer };
export type Logos = ReturnType<typeof createLogos>;

/** At least 256 logos. A logo that its merchant has replaced is gone within the hour. */
const KEPT = { maxSize: 16 * 1024 * 1024, ttl: 3_600_000 };
/** How long an unknown hash is cached, as for an unknown session. */
const MISSES = { max: 10_000, ttl: 5_000 };
/** Guessed hashes reach payments one by one, but only this many concurrently. */
const LOOKUPS_MAX = 20;

/** The images of merchants, which payments stores. The hash of its bytes is all that names one. */
export function createLogos(bus: Bus) {
  const logos = new LRUCache<string, Logo>({ ...KEPT, sizeCalculation: ({ bytes }) => bytes.length });
  const misses = new LRUCache<string, true>(MISSES);
  const lookups = new Map<string, Promise<Logo>>();

  async function fetchLogo(sha256: string): Promise<Logo> {
    try {
      const { type, data } = getLogo.output.parse(await bus.request(getLogo, { sha256 }));
      const logo = { type, bytes: Buffer.from(data, "base64") };
      logos.set(sha256, logo);
      return logo;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "not_found") throw error;
      misses.set(sha256, true);
      throw notFound();
    } finally {
      lookups.delete(sha256);
    }
  }

  return {
    /** Concurrent callers share one request. */
    async find(sha256: string): Promise<Logo> {
      if (misses.has(sha256)) throw notFound();
      const known = logos.get(sha256);
      if (known) return known;
      const pending = lookups.get(sha256);
      if (pending) return pending;
      if (lookups.size >= LOOKUPS_MAX)
        throw new Problem("service_unavailable", "The image cannot be loaded right now. Try again shortly.");
      const lookup = fetchLogo(sha256);
      lookups.set(sha256, lookup);
      return lookup;
    },
  };
}
