import { create } from "qrcode";

const MARGIN = 4;

/** Rendered locally, so the secret is not sent anywhere. Dark on white in both color schemes, for cameras. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * MARGIN;
  const squares = Array.from({ length: modules.size ** 2 }, (_, place) => place).filter((place) => modules.data[place]);
  const path = squares
    .map((place) => `M${(place % modules.size) + MARGIN} ${Math.floor(place / modules.size) + MARGIN}h1v1h-1z`)
    .join("");
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      width={208}
      height={208}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
