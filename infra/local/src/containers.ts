import { runInTests } from "./run-in-tests.ts";

/** npm run containers: the images and docker-compose.yml, on the machine's container engine. */
await runInTests("containers/main.ts");
