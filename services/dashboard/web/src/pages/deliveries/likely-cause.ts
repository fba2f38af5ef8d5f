/** What an attempt came to: the status of the response, or why there was none. */
export type Outcome = { status: number | null; error: string | null };

/** Why a server did not acknowledge an event, as far as its answer tells, and what to do about it. */
export type LikelyCause = { cause: string; cure: string };

const BY_STATUS: [statuses: (status: number) => boolean, LikelyCause][] = [
  [
    (status) => status < 400,
    {
      cause: "Your server redirects. Redirects are never followed.",
      cure: "Set the webhook URL to the address it redirects to.",
    },
  ],
  [
    (status) => status === 401 || status === 403,
    {
      cause:
        "Your server refused the request: its signature check failed, or something in front of it asks for a sign-in.",
      cure: "Check the signature over the raw body, with the signing secret of this mode.",
    },
  ],
  [
    (status) => status === 404 || status === 410,
    {
      cause: "There is nothing at this path of your server.",
      cure: "Compare the path of the URL with the route in your code.",
    },
  ],
  [
    (status) => status === 405,
    { cause: "Your server has this path, but not for POST.", cure: "Make the route accept POST requests." },
  ],
  [
    (status) => status === 413,
    {
      cause: "Something in front of your server limits the size of bodies.",
      cure: "Allow request bodies of up to 64 kB.",
    },
  ],
  [
    (status) => status === 429,
    { cause: "Your server, or something in front of it, limits requests.", cure: "Exempt this path from the limit." },
  ],
  [
    (status) => status < 500,
    {
      cause: "Your code read the event and refused it.",
      cure: "Respond with 2xx to every event, including types your code doesn't know.",
    },
  ],
  [
    (status) => status >= 502 && status <= 504,
    {
      cause: "A proxy responded: the program behind it is down, restarting or too slow.",
      cure: "Check that your program is running, and that it responds before it does its work.",
    },
  ],
  [
    () => true,
    {
      cause: "Your code failed while handling the event.",
      cure: "Look for the error in your server's log at this time.",
    },
  ],
];

const BY_ERROR: [error: RegExp, LikelyCause][] = [
  [
    /^simulated:/,
    {
      cause: "A scenario simulated this failure. Your server isn't at fault.",
      cure: "The next attempt is a real one.",
    },
  ],
  [
    /^refused:/,
    {
      cause: "The URL doesn't lead to a public address, so it isn't called.",
      cure: "Use a public https URL. For a server on your own machine, forward events with the command line: collect listen.",
    },
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    { cause: "The URL's host name doesn't resolve.", cure: "Check its spelling and its DNS record." },
  ],
  [
    /ECONNREFUSED/,
    {
      cause: "Nothing is listening on the URL's host and port.",
      cure: "Start your server, then check the port and the firewall.",
    },
  ],
  [
    /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/,
    {
      cause: "The server's certificate isn't valid for this host, or its chain is incomplete.",
      cure: "Install a certificate for this host, with its intermediate certificates.",
    },
  ],
  [
    /no answer|TIMEOUT|ETIMEDOUT/i,
    {
      cause: "Your server didn't respond in time.",
      cure: "Respond with 2xx within 15 seconds, and do the work afterwards.",
    },
  ],
  [
    /ECONNRESET|SOCKET|EPIPE|connection ended/,
    {
      cause: "The connection was closed before your server responded: your program crashed, or a firewall closed it.",
      cure: "Look for a crash in your server's log at this time.",
    },
  ],
  [
    /HEADERS_OVERFLOW/,
    { cause: "The response has more than 16 kB of headers.", cure: "Set fewer cookies on this path." },
  ],
];

const UNKNOWN: LikelyCause = {
  cause: "The connection failed.",
  cure: "Call the URL from another network to see whether it works there.",
};

export const isAcknowledged = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;

/** Null if it was acknowledged. An error says more than a status: a simulated attempt has both. */
export function likelyCauseOf({ status, error }: Outcome): LikelyCause | null {
  const byError = error !== null && BY_ERROR.find(([pattern]) => pattern.test(error));
  if (byError) return byError[1];
  if (isAcknowledged({ status, error })) return null;
  return (status !== null && BY_STATUS.find(([matches]) => matches(status))?.[1]) || UNKNOWN;
}
