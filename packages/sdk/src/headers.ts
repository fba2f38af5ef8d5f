/** Headers as servers provide them: an object, `Headers` or other pairs, or Node's flat `rawHeaders`. */
export type HeadersLike =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string] | string>;

type Pair = readonly [string, string | readonly string[] | undefined];

/** Every value of a header, matched case-insensitively. `name` is in lower case. */
export function headerValues(headers: HeadersLike, name: string): string[] {
  return pairsOf(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
}

function pairsOf(headers: HeadersLike): Pair[] {
  if (!isIterable(headers)) return Object.entries(headers ?? {});
  return [...headers].flatMap((entry, index, flat): Pair[] => {
    if (typeof entry !== "string") return [entry];
    return index % 2 === 0 ? [[entry, String(flat[index + 1])]] : [];
  });
}

function isIterable(headers: HeadersLike): headers is Iterable<readonly [string, string] | string> {
  return headers !== null && typeof headers === "object" && Symbol.iterator in headers;
}
