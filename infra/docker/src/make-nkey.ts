import { createSeed, publicKeyOf } from "@collect/bus";

/** node infra/docker/src/make-nkey.ts: prints a new key of a user of the broker. The seed is secret, the public key is not. */
const seed = createSeed();
console.log(`seed    ${seed}\npublic  ${publicKeyOf(seed)}`);
