import type { FastifyInstance } from "fastify";
import type { AppOptions } from "../app-options.ts";
import { fail } from "../failure.ts";
import { sendFailure } from "./problem.ts";

/** `GET /livez`: the process answers. `GET /readyz`: it can decide; else `service.unavailable` with what is missing. */
export function addProbes(app: FastifyInstance, options: AppOptions): void {
  app.get("/livez", async () => ({ status: "live" }));
  app.get("/readyz", async (_request, reply) => {
    const missing = await missingParts(options);
    return missing.length === 0
      ? { status: "ready" }
      : sendFailure(
          reply,
          fail("service.unavailable", { detail: `missing: ${missing.join(", ")}` }),
        );
  });
}

async function missingParts({
  database,
  registry,
  auditRefusal,
}: AppOptions): Promise<readonly string[]> {
  const isReady = await database.ready().catch(() => false);
  const current = registry();
  const audit = auditRefusal?.();
  return [
    ...(isReady ? [] : ["database"]),
    ...(current.ok ? [] : [`registry (${current.refusals[0].code})`]),
    ...(audit === undefined ? [] : [`audit (${audit})`]),
  ];
}
