/** Invalid calls as data: the tests apply each to every operation it is possible for. */

export const FORM = "application/x-www-form-urlencoded";
const deep = "[".repeat(10_000) + "]".repeat(10_000);
const long = "x".repeat(40_000);

/** Bodies that no operation can parse: description, body, type, status and code. */
export const BODIES: [what: string, body: string, type: string | undefined, status: number, code: string][] = [
  ["broken JSON", '{"amount":', undefined, 400, "malformed_body"],
  ["not JSON", "amount=1", undefined, 400, "malformed_body"],
  ["NaN", '{"amount":NaN}', undefined, 400, "malformed_body"],
  ["an array", "[]", undefined, 400, "malformed_body"],
  ["a string", '"amount"', undefined, 400, "malformed_body"],
  ["a number", "1e309", undefined, 400, "malformed_body"],
  ["null", "null", undefined, 400, "malformed_body"],
  ["true", "true", undefined, 400, "malformed_body"],
  ["two bodies", "{}{}", undefined, 400, "malformed_body"],
  ["10,000 nested arrays", deep, undefined, 400, "malformed_body"],
  ["too many form fields", "x=1&".repeat(200), FORM, 400, "malformed_body"],
  ["40 kB", `{"pad":"${long}"}`, undefined, 413, "body_too_large"],
  ["40 kB of form", `pad=${long}`, FORM, 413, "body_too_large"],
  ["another type", "<c/>", "application/xml", 415, "unsupported_media_type"],
  ["plain text", "{}", "text/plain", 415, "unsupported_media_type"],
  ["a form of files", "--x--", "multipart/form-data; boundary=x", 415, "unsupported_media_type"],
  ["an unknown character set", "{}", "application/json; charset=klingon", 415, "unsupported_media_type"],
];

const notText = ["1", "1e309", "true", "null", "[]", "{}", '["x"]', '{"__proto__":"x"}', deep];
const tooLong = (length: number) => JSON.stringify("x".repeat(length + 1));
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ""])));
const unprintable = ['"a\\u0000b"', '"\\ud800"'];
const name = [...notText, ...unprintable, '""', '"   "', '"a\\nb"', tooLong(100)];
const amount = [
  '"10"',
  '"NaN"',
  "1e309",
  "-1e309",
  "-1",
  "-0.01",
  "0",
  "0.001",
  "1.005",
  "true",
  "null",
  "[]",
  "[1]",
  "{}",
  deep,
];

/** Invalid values of JSON fields, as JSON text. */
export const JSON_FIELDS: Record<string, string[]> = {
  amount,
  amount_sent: amount,
  reference: [...notText, ...unprintable, '""', '"a\\nb"', tooLong(100)],
  customer_reference: [...notText, ...unprintable, '""', '"a b"', '"a/b"', '"é"', tooLong(80)],
  customer_name: name,
  payer_name: name,
  name,
  description: [...notText, ...unprintable, tooLong(500)],
  narration: [...notText, ...unprintable, '"a\\nb"', tooLong(100)],
  redirect_url: [...notText, tooLong(2_000)],
  payment_reference: [...notText, ...unprintable, tooLong(100)],
  outcome: [...notText, '""', '"failed"', '"PAID"', '"constructor"'],
  bank_code: [...notText, '""', '"05"', '"0580"', '"٠٥٨"', '"058\\n"'],
  account_number: [...notText, '""', '"123456789"', '"12345678901"', '"012345678x"', '"0123456789\\u0000"'],
  metadata: [
    ...["1", "true", '"x"', "[]", '["x"]', deep],
    ...['{"a":1}', '{"a":null}', '{"a":["x"]}', '{"a":{"b":"c"}}', '{"a":"\\u0000"}', '{"a":"\\ud800"}'],
    ...['{"":"x"}', '{"a[b]":"x"}', '{"a\\nb":"x"}', '{"\\ud800":"x"}'],
    `{"a":${tooLong(500)}}`,
    `{${tooLong(40)}:"x"}`,
    keys(21),
    keys(3_000),
  ],
  email: [...notText, '""', '"ngozi"', '"a@b"', '"a b@c.de"', '"a@b.cd\\u0000"', `"${"x".repeat(250)}@b.cd"`],
};

/** Invalid values by a field's JSON type, for fields that are not in the table. */
export const JSON_TYPES: Record<string, string[]> = {
  string: notText,
  number: ['"10"', '"NaN"', "1e309", "true", "null", "[]", "{}", deep],
  integer: ['"10"', "1.5", "1e309", "true", "null", "[]", "{}", deep],
  boolean: ['"true"', "1", "null", "[]", "{}", deep],
};

/** Invalid amounts in a form. */
export const FORM_AMOUNTS = [
  "NaN",
  "Infinity",
  "1e309",
  "1e3",
  "-1",
  "0",
  "0.00",
  "1.005",
  "",
  "+1",
  "0x10",
  "1,000",
  "1 ",
  "٣",
  "[]",
  "\0",
];

/** How the messages of the validation library read, which no caller should see. */
export const LIBRARY_WORDS = /received|expected|invalid (?!fields|key)|too (?:big|small)|unrecognized key|never|nan/i;

/** Path segments that are not references: forbidden characters, too long, not decodable, or another URL. */
export const REFERENCES = [
  "a%20b",
  "%00",
  "cust%00",
  "%zz",
  "%ff",
  "%E0%A4%A",
  "é",
  "a".repeat(101),
  "a".repeat(3_000),
  "..%2f..%2fbalance",
  "%3Cscript%3E",
  "%0d%0aSet-Cookie:x",
  "%7B%7D",
];
