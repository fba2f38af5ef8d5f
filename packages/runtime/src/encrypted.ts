type Environment = Record<string, string | undefined>;

/** Schemes that encrypt whatever is sent. */
const ENCRYPTED = new Set(["https:", "wss:", "tls:", "smtps:"]);
/** PostgreSQL negotiates: the weaker values of sslmode accept a server without TLS. */
const ENCRYPTED_MODES = new Set(["require", "verify-ca", "verify-full"]);

/**
 * Refuses a URL that would send secrets in clear over a network: in production (`NODE_ENV=production`) it must be
 * encrypted, or lead to this machine. `ALLOW_PLAINTEXT` names the settings that may be in clear (`DATABASE_URL,NATS_URL`),
 * or is `true` for all. `url` may be a list separated by commas. `loadConfig` applies it to every setting `…_URL`.
 */
export function assertEncrypted(setting: string, url: string, environment: Environment): void {
  if (environment.NODE_ENV !== "production") return;
  const allowed = (environment.ALLOW_PLAINTEXT ?? "").split(",").map((name) => name.trim());
  if (allowed.includes("true") || allowed.includes(setting)) return;
  if (!url.split(/,(?=[^/]*(?::\/\/|:\d+$))/).every((each) => isSafe(each.trim()))) {
    // Not the URL itself: it may contain a password.
    throw new Error(`${setting}: ${PLAINTEXT}`);
  }
}

const PLAINTEXT =
  "is not encrypted: use https, tls or sslmode=verify-full, or name it in ALLOW_PLAINTEXT if the network is private";

function isSafe(text: string): boolean {
  const url = URL.parse(/^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `plain://${text}`);
  if (!url) return false;
  if (ENCRYPTED.has(url.protocol) || isLoopback(url)) return true;
  if (/^postgres(ql)?:$/.test(url.protocol)) return ENCRYPTED_MODES.has(url.searchParams.get("sslmode") ?? "");
  return url.protocol === "smtp:" && url.searchParams.get("requireTLS") === "true";
}

/** This machine, or a socket of it. PostgreSQL's parameter `host` overrides the host of the URL. */
function isLoopback(url: URL): boolean {
  const host = url.searchParams.get("host") ?? url.hostname;
  return host === "" || host.startsWith("/") || /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
