/** An HTTP request, as a command that any POSIX shell reads as exactly this request. */
export type CurlRequest = {
  method: string;
  url: string;
  /** Null leaves it to the shell's variable COLLECT_KEY. */
  key: string | null;
  body: { type: string; text: string } | null;
};

export function curlOf({ method, url, key, body }: CurlRequest): string {
  const authorization = key === null ? '"Authorization: Bearer $COLLECT_KEY"' : quoted(`Authorization: Bearer ${key}`);
  return [
    // curl would read brackets and braces as a range of URLs.
    `curl ${/[[\]{}]/.test(url) ? "--globoff " : ""}${quoted(url)}`,
    ...(method === "HEAD" ? ["--head"] : []),
    ...(method === "POST" && !body ? ["-X POST"] : []),
    `-H ${authorization}`,
    ...(body ? [`-H ${quoted(`Content-Type: ${body.type}`)}`, `--data-raw ${quoted(body.text)}`] : []),
  ].join(" \\\n  ");
}

/** Between single quotes a shell reads everything as it is, but for a single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
