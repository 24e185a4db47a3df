import { type Refusals, isRefused, refusal } from "@eve/registry-schema";
import type { Standing } from "@eve/trust-admission";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { watchAnswers } from "./answer-watch.ts";
import { bffClient } from "./bff-client.ts";
import { callHandler } from "./call-handler.ts";
import { type Opened, type StartFacts, admitOpening, judgeStart } from "./gate.ts";
import type { Host } from "./host.ts";
import { INTEGRATION } from "./identity.ts";
import type { Era } from "./protocol-era.ts";
import { MAX_LINE_BYTES, watchOpening } from "./opening-request.ts";
import { refuseAtStart } from "./refuse-at-start.ts";
import { type RegistryFile, followRegistry } from "./registry-file.ts";
import { buildServer } from "./server-factory.ts";
import { TOOLS } from "./tools/index.ts";

/** A running program. */
export interface Program {
  /** Takes a fault from anywhere: refuses with `internal.error` and exits 78. Only the first refusal counts. */
  fail(error: unknown): void;
}

/**
 * Runs the workbench: decides at start, then serves the first client on stdio behind the surface gate. Every refusal
 * and every fault ends in exit 78; stdout carries protocol only.
 */
export function runProgram(host: Host): Program {
  const registry = followRegistry(host.readRegistry);
  let isServing = false;
  let hasRefused = false;
  let mayAnswer = true;

  const refuse = (refusals: Refusals): void => {
    if (hasRefused) return;
    hasRefused = true;
    void refuseAtStart(INTEGRATION, refusals, mayAnswer ? opening : undefined, host);
  };
  const fail = (error: unknown): void => {
    // Once a server answers, a second answer to its requests would be a lie on the wire.
    if (isServing) mayAnswer = false;
    refuse([
      refusal("internal.error", {
        integration: INTEGRATION,
        subject: "program",
        expected: "no fault",
        actual: nameOf(error),
      }),
    ]);
  };
  // Watched to the end: a client that only probed one era opens another one with a later request.
  const opening = watchOpening(host.stdin, () =>
    refuse([
      refusal("protocol.framing", {
        integration: INTEGRATION,
        subject: "stdin",
        expected: `lines of at most ${MAX_LINE_BYTES} bytes, CR only before LF`,
        actual: "another line",
      }),
    ]),
  );
  const open = async (standing: Standing, era: Era): Promise<McpServer> => {
    try {
      const opened = await admitOpening({
        ...factsOf(host, standing, registry),
        era,
        tools: TOOLS,
      });
      if ("admission" in opened) {
        isServing = true;
        return serverFor(opened, era, host, registry, fail);
      }
      refuse(opened);
    } catch (error) {
      fail(error);
    }
    // The SDK would answer a throw with an internal error of its own; it waits instead, until the exit.
    return new Promise(() => {});
  };

  try {
    const standing = host.observeSelf();
    const refusals = judgeStart(factsOf(host, standing, registry));
    if (isRefused(refusals)) refuse(refusals);
    else
      serveStdio(({ era }) => open(standing, era), {
        transport: new StdioServerTransport(
          host.stdin,
          watchAnswers(host.stdout, opening.answered),
        ),
      });
  } catch (error) {
    fail(error);
  }
  return { fail };
}

function serverFor(
  { admission, riskClasses }: Opened,
  era: Era,
  host: Host,
  registry: RegistryFile,
  fail: (error: unknown) => void,
): McpServer {
  const { url = "", token = "" } = host.settings;
  const bff = bffClient({ origin: url, bearer: token, fetch: host.fetch });
  const handler = callHandler({
    admission,
    era,
    destination: url,
    registry: () => registry.current(),
    bff,
    now: host.now,
    sleep: host.sleep,
    fail,
  });
  return buildServer({ tools: TOOLS, riskClasses, handler });
}

function factsOf(
  { runtime, settings, now }: Host,
  standing: Standing,
  registry: RegistryFile,
): StartFacts {
  return { runtime, settings, standing, registry: registry.current(), now: now() };
}

/** An error's class; its message may quote what must not be told. */
function nameOf(error: unknown): string {
  return error instanceof Error && /^[A-Za-z]{1,64}$/.test(error.name)
    ? error.name
    : "an unknown fault";
}
