import { defineConfig } from "prisma/config";

/** For Prisma's own command line: `OWNER_DATABASE_URL=… prisma migrate deploy`. */
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.OWNER_DATABASE_URL ?? "" },
});
