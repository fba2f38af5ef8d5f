/**
 * Solves the proof of work that the checkout asks for under load: the first n for which the SHA-256 of `{challenge}.{n}` begins with
 * `difficulty` zero bits. Its own SHA-256, because the browser's is asynchronous: awaiting each hash would take ten times as long.
 */

/** How many hashes are computed before the page may do something else: about 20 ms. */
const SLICE = 8_192;

/** @param {{ challenge: string, difficulty: number }} puzzle @returns {Promise<string>} the proof: `{challenge}.{n}` */
export async function solve({ challenge, difficulty }) {
  for (let n = 0; ; n++) {
    const proof = `${challenge}.${n}`;
    if (Math.clz32(firstWordOfHash(proof)) >= difficulty) return proof;
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve));
  }
}

const isPrime = (/** @type {number} */ n) => {
  for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) return false;
  return true;
};
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && isPrime(n));
const fraction = (/** @type {number} */ root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const words = new Int32Array(64);
const at = (/** @type {Int32Array} */ array, /** @type {number} */ index) => array[index] ?? 0;
const rotate = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** The first word of the SHA-256 of a text of ASCII characters. @param {string} text */
function firstWordOfHash(text) {
  const hash = Int32Array.from(INITIAL);
  const blocks = Math.ceil((text.length + 9) / 64);
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 16; word++) words[word] = wordOf(text, block * 64 + word * 4);
    if (block === blocks - 1) words[15] = text.length * 8;
    compress(hash);
  }
  return hash[0] ?? 0;
}

/** Four bytes of the padded message. @param {string} text @param {number} at */
function wordOf(text, at) {
  let word = 0;
  for (let byte = at; byte < at + 4; byte++)
    word = (word << 8) | (byte < text.length ? text.charCodeAt(byte) : byte === text.length ? 0x80 : 0);
  return word;
}

/** Plain assignments: destructured ones take twenty times as long. @param {Int32Array} hash */
function compress(hash) {
  for (let t = 16; t < 64; t++) {
    const x = at(words, t - 15);
    const y = at(words, t - 2);
    const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words[t] = at(words, t - 16) + small0 + at(words, t - 7) + small1;
  }
  let a = at(hash, 0);
  let b = at(hash, 1);
  let c = at(hash, 2);
  let d = at(hash, 3);
  let e = at(hash, 4);
  let f = at(hash, 5);
  let g = at(hash, 6);
  let h = at(hash, 7);
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + big1 + ((e & f) ^ (~e & g)) + at(K, t) + at(words, t)) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  hash[0] = at(hash, 0) + a;
  hash[1] = at(hash, 1) + b;
  hash[2] = at(hash, 2) + c;
  hash[3] = at(hash, 3) + d;
  hash[4] = at(hash, 4) + e;
  hash[5] = at(hash, 5) + f;
  hash[6] = at(hash, 6) + g;
  hash[7] = at(hash, 7) + h;
}
