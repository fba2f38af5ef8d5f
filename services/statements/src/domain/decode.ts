import { fault } from "./fault.ts";
import type { Encoding } from "./formats/table.ts";
import { printable } from "./statement.ts";

/** The text of a file in the encoding that it declares, otherwise in that of its account's mapping, or UTF-8: nothing is guessed. */
export function decode(bytes: Uint8Array, ofAccount: Encoding = "utf-8"): string {
  if (OLD_WORKBOOK.every((byte, index) => bytes[index] === byte))
    throw fault("unknown_format", "It is a workbook of Excel before 2007 (.xls): save it as .xlsx.");
  const declared = declaredBy(bytes);
  // Text in UTF-8 reads as other characters in Windows-1252, without an error.
  if (!declared && ofAccount === "windows-1252" && isUtf8(bytes) && bytes.some((byte) => byte > 0x7f))
    throw fault("unknown_format", "It is text in UTF-8, and the mapping of its account says windows-1252.");
  const encoding = declared ?? ofAccount;
  try {
    if (encoding === "windows-1252" && !isWindows1252(bytes))
      throw new TypeError("it has bytes that are no characters");
    return printable(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    throw fault(
      "unknown_format",
      `It is neither a workbook nor text in ${encoding.toUpperCase()}.`,
      lineAtFault(bytes, encoding),
    );
  }
}

/** Of a workbook of Excel before 2007. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];

type Declared = Encoding | "utf-16le" | "utf-16be";

/** By its first bytes, or as XML, which is in UTF-8 where it declares nothing. */
function declaredBy(bytes: Uint8Array): Declared | undefined {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (head.startsWith("\xff\xfe")) return "utf-16le";
  if (head.startsWith("\xfe\xff")) return "utf-16be";
  if (LATIN_XML.test(head)) return "windows-1252";
  return head.startsWith("\xef\xbb\xbf") || /^\s*</.test(head) ? "utf-8" : undefined;
}
const LATIN_XML = /^\s*<\?xml[^>]*encoding=["'](?:iso-8859-1|windows-1252)["']/i;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The five bytes that have no character in it; a decoder makes control characters of them. */
const UNDEFINED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const isWindows1252 = (bytes: Uint8Array) => !bytes.some((byte) => UNDEFINED.includes(byte));

/** A line of UTF-16 is not found by its bytes. */
function lineAtFault(bytes: Uint8Array, encoding: Declared): number | undefined {
  if (encoding === "utf-16le" || encoding === "utf-16be") return undefined;
  const isText = encoding === "utf-8" ? isUtf8 : isWindows1252;
  const lines = Buffer.from(bytes)
    .toString("latin1")
    .split(/\r\n|[\r\n]/);
  return lines.findIndex((line) => !isText(Buffer.from(line, "latin1"))) + 1;
}
