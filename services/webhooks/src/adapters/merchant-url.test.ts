import { describe, expect, test } from "vitest";
import { readMerchantUrl } from "./merchant-url.ts";
import { isPublicAddress } from "./public-address.ts";

describe("addresses", () => {
  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "100.100.100.200",
    "fd00:ec2::254",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "4000::1",
    "",
    "localhost",
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "::ffff:8.8.8.8",
    "2606:4700:4700::1111",
    "2a00:1450::1",
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));
});

describe("webhook URLs", () => {
  const read = (text: string, allowPrivateUrls = false) =>
    readMerchantUrl(text, { allowPrivateUrls, confirmPrivateUrls: false, ports: [443, 8443] });

  test.each([
    ["http://example.com/hook", "must be a full https URL, such as https://example.com/webhooks"],
    ["ftp://example.com/hook", "must be a full https URL, such as https://example.com/webhooks"],
    ["javascript:alert(1)", "must be a full https URL, such as https://example.com/webhooks"],
    ["example.com/hook", "must be a full URL, such as https://example.com/webhooks"],
    ["https://", "must be a full URL, such as https://example.com/webhooks"],
    ["", "must be a full URL, such as https://example.com/webhooks"],
    ["https://user@example.com/", "must not contain a user name or password"],
    ["https://user:pass@example.com/", "must not contain a user name or password"],
    ["https://127.0.0.1/", "must resolve to a public address"],
    ["https://127.0.0.1./", "must resolve to a public address"],
    ["https://127.1/", "must resolve to a public address"],
    ["https://2130706433/", "must resolve to a public address"],
    ["https://0x7f000001/", "must resolve to a public address"],
    ["https://0177.0.0.1/", "must resolve to a public address"],
    ["https://１２７.0.0.1/", "must resolve to a public address"],
    ["https://%31%32%37.0.0.1/", "must resolve to a public address"],
    ["https://0/", "must resolve to a public address"],
    ["https://[::1]/", "must resolve to a public address"],
    ["https://[::ffff:127.0.0.1]/", "must resolve to a public address"],
    ["https://[64:ff9b::7f00:1]/", "must resolve to a public address"],
    ["https://[2002:7f00:1::]/", "must resolve to a public address"],
    ["https://169.254.169.254/latest/meta-data", "must resolve to a public address"],
    ["https://100.100.100.200/", "must resolve to a public address"],
    ["https://168.63.129.16/", "must resolve to a public address"],
    ["https://2822734096/", "must resolve to a public address"],
    ["https://[::ffff:168.63.129.16]/", "must resolve to a public address"],
    ["https://[fd00:ec2::254]/", "must resolve to a public address"],
    ["https://[fd20:ce::254]/", "must resolve to a public address"],
    ["https://example.com:22/", "must use port 443 or 8443"],
    ["https://example.com:80/", "must use port 443 or 8443"],
    ["https://example.com:5432/", "must use port 443 or 8443"],
    [`https://example.com/${"a".repeat(2_000)}`, "must be at most 2000 characters"],
    [`https://example.com/${"é".repeat(400)}`, "must be at most 2000 characters"],
  ])("%s is refused", (text, fault) => expect(read(text)).toEqual({ fault }));

  test.each([
    ["https://example.com/hook?a=1", "https://example.com/hook?a=1"],
    ["HTTPS://Example.COM:8443/Hook#top", "https://example.com:8443/Hook"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
  ])("%s is accepted", (text, url) => expect(read(text)).toEqual({ url, mustAnswer: true }));

  test.each(["http://127.0.0.1:4999/hook", "http://localhost/", "https://10.0.0.1/"])(
    "%s is accepted where private URLs are allowed, and only there",
    (text) => {
      expect(read(text, true)).toEqual({ url: text, mustAnswer: false });
    },
  );

  test("a public host must answer a challenge, a private one only if the setting says so", () => {
    const rules = { allowPrivateUrls: true, confirmPrivateUrls: false, ports: [443] };
    const mustAnswer = (text: string, given = {}) => readMerchantUrl(text, { ...rules, ...given });
    for (const host of ["example.com", "localhost.example.com", "8.8.8.8", "notlocalhost"])
      expect(mustAnswer(`http://${host}/`), host).toMatchObject({ mustAnswer: true });
    for (const host of ["localhost", "shop.localhost", "127.0.0.1", "10.0.0.8", "[::1]"]) {
      expect(mustAnswer(`http://${host}/`), host).toMatchObject({ mustAnswer: false });
      expect(mustAnswer(`http://${host}/`, { confirmPrivateUrls: true }), host).toMatchObject({ mustAnswer: true });
    }
    // Nothing is private where private URLs are not allowed: such a name may resolve anywhere.
    expect(mustAnswer("https://localhost/", { allowPrivateUrls: false })).toMatchObject({ mustAnswer: true });
  });

  test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "http://user:pass@127.0.0.1/"])(
    "%s is refused even there",
    (text) => {
      expect(read(text, true)).toHaveProperty("fault");
    },
  );
});
