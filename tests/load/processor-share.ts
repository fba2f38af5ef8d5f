import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The kernel's controller of processor time (cgroup v1); writing there needs root. */
const CONTROLLER = "/sys/fs/cgroup/cpu";

/** Lets a process use this share of one processor, period by period, until it is released. */
export function limitProcessor(pid: number, { share, periodMs }: { share: number; periodMs: number }) {
  const group = join(CONTROLLER, `collect-${pid}`);
  mkdirSync(group);
  writeFileSync(join(group, "cpu.cfs_period_us"), String(periodMs * 1_000));
  writeFileSync(join(group, "cpu.cfs_quota_us"), String(share * periodMs * 1_000));
  writeFileSync(join(group, "cgroup.procs"), String(pid));
  return {
    release(): void {
      writeFileSync(join(CONTROLLER, "cgroup.procs"), String(pid));
      rmdirSync(group);
    },
  };
}
