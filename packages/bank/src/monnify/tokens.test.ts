import { expect, test } from "vitest";
import { createTokens } from "./tokens.ts";

test("a token that another call drops while this one asks for the time is no error: Monnify refuses it, and it is replaced", async () => {
  const asked: ((now: Date) => void)[] = [];
  const answer = () => asked.shift()?.(new Date(0));
  const login = async () => ({ accessToken: "token", expiresInS: 3_600 });
  const tokens = createTokens({ login, now: () => new Promise((resolve) => asked.push(resolve)) });
  const first = tokens.get();
  answer();
  await first;
  const second = tokens.get();
  tokens.drop("token");
  answer();
  expect(await second).toBe("token");
});
