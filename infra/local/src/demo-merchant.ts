import { join } from "node:path";
import type { Bus } from "@collect/bus";
import {
  createMerchant,
  type Mode,
  Problem,
  setWebhookEndpoint,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { Demo, readJson } from "./files.ts";

/** The demo merchant's name, keys and webhooks: the part of demo.json that survives a restart. */
export type DemoMerchant = Pick<Demo, "merchant" | "keys" | "webhook">;

/** The merchant of the last start if its database still exists, else a new one. Its secret keys are stored in demo.json only. */
export async function demoMerchant(bus: Bus, options: { directory: string; hooks: string }): Promise<DemoMerchant> {
  const stored = await readJson(join(options.directory, "demo.json"), Demo);
  const { merchant, keys } = stored && (await exists(bus, stored.merchant.id)) ? stored : await newMerchant(bus);
  const webhookOf = async (mode: Mode) => {
    const url = `${options.hooks}/${mode}`;
    const { secret } = await bus.request(setWebhookEndpoint, { merchant: { id: merchant.id, mode }, url });
    return { url, secret };
  };
  return { merchant, keys, webhook: { test: await webhookOf("test"), live: await webhookOf("live") } };
}

async function exists(bus: Bus, id: string): Promise<boolean> {
  try {
    await bus.request(showMerchant, { merchant_id: id });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return false;
    throw error;
  }
}

async function newMerchant(bus: Bus): Promise<Pick<Demo, "merchant" | "keys">> {
  const created = await bus.request(createMerchant, { name: "Demo Stores" });
  const verified = await bus.request(verifyMerchant, { merchant_id: created.merchant_id, despite_name: true });
  return { merchant: { id: created.merchant_id, name: created.name }, keys: { ...created.keys, ...verified.keys } };
}
