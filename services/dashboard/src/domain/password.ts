import { z } from "zod";

export const PASSWORD_LENGTH = { min: 10, max: 128 };
const { min, max } = PASSWORD_LENGTH;

export const NewPassword = z
  .string()
  .min(min, `must be at least ${min} characters`)
  .max(max, `must be at most ${max} characters`);

/** A password to verify, whatever the rules were when it was chosen. */
export const Password = z.string().min(1, "must not be empty").max(max, `must be at most ${max} characters`);
