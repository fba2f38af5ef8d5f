import { invalidFields, LOGO_BYTES_MAX, type LogoType } from "@collect/contracts";

/** What browsers decode from a logo is bounded by its sides, not by its bytes. */
export const LOGO_SIDE = { min: 32, max: 1_024 } as const;

export type Logo = { type: LogoType; bytes: Buffer };
type Size = { width: number; height: number };
type Image = Size & { type: LogoType; isAnimated?: boolean };

/** The logo in a file that a merchant chose, whatever the file is called. Throws validation_failed unless payers may be shown it. */
export function logoOf(bytes: Buffer): Logo {
  if (bytes.length > LOGO_BYTES_MAX) throw refused("must be at most 64 kB");
  const image = pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes);
  if (!image) throw refused("must be a PNG, JPEG or WebP image");
  if (image.isAnimated) throw refused("must be a still image");
  const [shorter, longer] = [Math.min(image.width, image.height), Math.max(image.width, image.height)];
  if (shorter < LOGO_SIDE.min || longer > LOGO_SIDE.max)
    throw refused(`must be ${LOGO_SIDE.min} to ${LOGO_SIDE.max} pixels wide and high`);
  return { type: image.type, bytes };
}

const refused = (message: string) => invalidFields([{ param: "logo", code: "invalid", message }]);

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The signature and the header, which is always the first chunk; `acTL` before the image data makes it an animation. */
function pngOf(bytes: Buffer): Image | undefined {
  const isPng = bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG_SIGNATURE) && textAt(bytes, 12, 4) === "IHDR";
  if (!isPng) return undefined;
  return {
    type: "image/png",
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    isAnimated: bytes.includes("acTL", 33, "latin1"),
  };
}

/** Segments that are no frame header, although their markers are between those of frame headers. */
const NOT_FRAMES = [0xc4, 0xc8, 0xcc];

/** Its segments up to the frame header: each has a marker and its length, and the header the height and width. */
function jpegOf(bytes: Buffer): Image | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.includes(marker))
      return { type: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const WEBP_ANIMATION = 0x02;

/** A RIFF file whose first chunk is the header (VP8X), a lossy image (VP8) or a lossless one (VP8L). */
function webpOf(bytes: Buffer): Image | undefined {
  const isWebp = bytes.length >= 30 && textAt(bytes, 0, 4) === "RIFF" && textAt(bytes, 8, 4) === "WEBP";
  if (!isWebp) return undefined;
  const type = "image/webp";
  switch (textAt(bytes, 12, 4)) {
    case "VP8X":
      return {
        type,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        isAnimated: (bytes.readUInt8(20) & WEBP_ANIMATION) !== 0,
      };
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return undefined;
      const sizes = bytes.readUInt32LE(21);
      return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

const textAt = (bytes: Buffer, from: number, length: number) => bytes.toString("latin1", from, from + length);
