export * from "./events.ts";
export * from "./fields.ts";
export * from "./merchant-api.ts";
export type { Answer, Ask, Asked, Fact, FactEvent, Reply, RequestContract, ServiceName } from "./message.ts";
export { SERVICES } from "./message.ts";
export {
  type FieldError,
  fieldErrors,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type ProblemDocument,
  problemDocument,
} from "./problem.ts";
export * from "./requests.ts";
