import { expect, test } from "vitest";
import { likelyCauseOf } from "./likely-cause.ts";

const ofStatus = (status: number) => likelyCauseOf({ status, error: null })?.cause ?? null;
const ofError = (error: string) => likelyCauseOf({ status: null, error })?.cause ?? null;

test("an acknowledged attempt has no cause", () => {
  for (const status of [200, 201, 204, 299]) expect(ofStatus(status)).toBeNull();
});

test.each([
  [302, "redirects"],
  [401, "signature check failed"],
  [403, "signature check failed"],
  [404, "nothing at this path"],
  [405, "not for POST"],
  [413, "size of bodies"],
  [422, "read the event and refused it"],
  [429, "limits requests"],
  [500, "failed while handling"],
  [503, "A proxy responded"],
  [599, "failed while handling"],
])("a response of %i is explained", (status, words) => expect(ofStatus(status)).toContain(words));

/** The errors as the sender words them. */
test.each([
  ["refused: 10.0.0.7 is not a public address", "doesn't lead to a public address"],
  ["ENOTFOUND: getaddrinfo ENOTFOUND shop.example", "doesn't resolve"],
  ["ECONNREFUSED: connect ECONNREFUSED 203.0.113.7:443", "Nothing is listening"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate", "certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID: Hostname does not match", "certificate"],
  ["no answer within 15 s", "didn't respond in time"],
  ["UND_ERR_CONNECT_TIMEOUT: Connect Timeout Error", "didn't respond in time"],
  ["UND_ERR_SOCKET: other side closed", "closed before your server responded"],
  ["the connection ended", "closed before your server responded"],
  ["UND_ERR_HEADERS_OVERFLOW: Headers Overflow Error", "16 kB of headers"],
  ["EHOSTUNREACH: no route", "The connection failed"],
])("no response because of %s is explained", (error, words) => expect(ofError(error)).toContain(words));

test("a simulated attempt is never blamed on the server, whatever its status", () => {
  const error = "simulated: status 500; your server was not called";
  expect(likelyCauseOf({ status: 500, error })?.cause).toContain("A scenario simulated this");
});
