import type { ActFields, ReadResponse } from "../../api/calls.ts";

export type Logo = NonNullable<ReadResponse<"business-profile">["logo_image"]>;
type Sent = NonNullable<ActFields<"business-profile">["logo"]>;

export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const satisfies Logo["type"][];
const BYTES_MAX = 64 * 1024;

/** The chosen file, or why it can't be a logo. The server decides by the file's content. */
export async function readLogo(file: File): Promise<{ logo: Logo } | { problem: string }> {
  const type = LOGO_TYPES.find((one) => one === file.type);
  if (!type) return { problem: "must be a PNG, JPEG or WebP image" };
  if (file.size > BYTES_MAX)
    return { problem: `must be at most 64 kB; this file is ${Math.ceil(file.size / 1024)} kB` };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const data: Sent = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return { logo: { type, data } };
}

export const urlOf = ({ type, data }: Logo): string => `data:${type};base64,${data}`;
