import { darken, Group, luminance, Stack, Text } from "@mantine/core";
import { useScope } from "../../api/scope.ts";
import { type Logo, urlOf } from "./logo-file.ts";

type Props = { logo: Logo | null; color: string | undefined; email: string; phone: string };

const PLAIN = "#0b6e4f";

/** What a payer sees first, with this profile. It is a picture: nothing in it can be pressed. */
export function PaymentPagePreview({ logo, color = PLAIN, email, phone }: Props) {
  const { merchantName } = useScope();
  const support = [email, phone].filter(Boolean).join(" · ");
  return (
    <Stack gap={6} component="figure" m={0}>
      <Text component="figcaption" size="sm" fw={600}>
        What payers will see
      </Text>
      <Stack gap="md" p="lg" style={PAPER} data-testid="preview">
        <Group gap="sm" wrap="nowrap">
          <Mark logo={logo} color={color} name={merchantName} />
          <Text fw={700} size="xl" className="wrap-anywhere">
            <bdi>{merchantName}</bdi>
          </Text>
        </Group>
        <div>
          <Text size="sm" c={GREY}>
            Send exactly
          </Text>
          <Text fw={700} className="num" style={{ fontSize: 32, lineHeight: 1.2 }}>
            ₦2,500<span style={{ color: legible(color) }}>.73</span>
          </Text>
        </div>
        <div>
          <Text size="sm" c={GREY}>
            Account number
          </Text>
          <Text fw={600} className="num">
            990 001 2345
          </Text>
        </div>
        <Text ta="center" fw={600} py={10} style={{ background: color, color: inkOn(color), borderRadius: 8 }}>
          I've sent the money
        </Text>
        <Text size="sm" c={GREY} className="wrap-anywhere">
          {support
            ? `Questions? Ask ${merchantName}: ${support}`
            : "Add a support email or phone, so that payers with a question can reach you."}
        </Text>
      </Stack>
    </Stack>
  );
}

function Mark({ logo, color, name }: { logo: Logo | null; color: string; name: string }) {
  if (logo) return <img src={urlOf(logo)} alt="Your logo" width={44} height={44} style={IMAGE} />;
  return (
    <span aria-hidden style={{ ...IMAGE, ...INITIAL, background: color, color: inkOn(color) }}>
      {[...name][0]?.toLocaleUpperCase()}
    </span>
  );
}

/** Payers see it light or dark; this is the light one, in both color schemes of the dashboard. */
const PAPER = { background: "#fff", color: "#16181a", border: "1px solid #d5d9dd", borderRadius: 12, maxWidth: 380 };
const GREY = "#50575e";
const IMAGE = { width: 44, height: 44, borderRadius: 10, objectFit: "contain", flexShrink: 0 } as const;
const INITIAL = { display: "grid", placeItems: "center", fontWeight: 700, fontSize: 20 } as const;

/** Black or white, whichever can be read on the color. */
const inkOn = (color: string) => (luminance(color) > 0.179 ? "#000" : "#fff");

/** The color, as dark as it has to be for text on white (4.5:1). */
function legible(color: string): string {
  for (let step = 0; step < 1; step += 0.05) {
    const shade = darken(color, step);
    if (1.05 / (luminance(shade) + 0.05) >= 4.5) return shade;
  }
  return "#000";
}
