import type { JsonValue } from "@eve/canonical-json";
import { CATALOGUE, publicRefusal, refusal, type RefusalCode } from "@eve/registry-schema";
import { parseObject } from "./json.ts";
import { WORKBENCH } from "./repository.ts";
import type { Ended } from "./run.ts";

/** What a program that was refused at start told, in the parts that DESIGN rules. */
export interface Told {
  readonly exit: number | null;
  /** Of the first line on stderr, which is JSON. */
  readonly event: JsonValue | undefined;
  readonly integration: JsonValue | undefined;
  readonly code: JsonValue | undefined;
  /** JSON on stderr after the first line. */
  readonly moreJson: readonly string[];
  /** The remedies that the prose on stderr must hold and does not. */
  readonly missing: readonly string[];
  /** stdout: nothing, or one line of JSON. */
  readonly answer: JsonValue | undefined;
  /** Beginnings of the texts that must not be told and were. */
  readonly leaked: readonly string[];
}

/** Codes that the MCP SDKs give meanings of their own to. */
const RESERVED = { from: -32_768, to: -32_000 };

/** What a program told; `unsaid` are secrets and served texts. Throws where its first line on stderr is not JSON. */
export function toldBy(
  { code: exit, stdout, stderr }: Ended,
  code: RefusalCode,
  unsaid: readonly string[] = [],
): Told {
  const [line = "", ...prose] = stderr.split("\n");
  const first = parseObject(line);
  return {
    exit,
    event: first["event"],
    integration: first["integration"],
    code: first["code"],
    moreJson: prose.filter((text) => text.startsWith("{")),
    missing: [CATALOGUE[code].remedy].filter((text) => !prose.join("\n").includes(text)),
    answer: answerOf(stdout),
    leaked: unsaid
      .filter((text) => (stdout + stderr).includes(text))
      .map((text) => text.slice(0, 12)),
  };
}

/**
 * What it must tell (DESIGN: Admission, refused at start-up): exit 78, the code first on stderr, one JSON-RPC error to
 * the opening request, whose `id` is undefined where there was none. Throws where the catalogue's number is reserved.
 */
export function refusedWith(code: RefusalCode, id: string | number | undefined): Told {
  const { jsonRpc, title, remedy } = CATALOGUE[code];
  if (jsonRpc >= RESERVED.from && jsonRpc <= RESERVED.to) throw new Error(`${code}: ${jsonRpc}`);
  const data = publicRefusal(refusal(code, { subject: "", expected: "", actual: "" }));
  const error = { code: jsonRpc, message: `${code}: ${title}. ${remedy}`, data: { ...data } };
  return {
    exit: 78,
    event: "eve.refused",
    integration: WORKBENCH,
    code,
    moreJson: [],
    missing: [],
    answer: id === undefined ? undefined : { jsonrpc: "2.0", id, error },
    leaked: [],
  };
}

function answerOf(stdout: string): JsonValue | undefined {
  if (stdout === "") return undefined;
  const isOneLine = stdout.indexOf("\n") === stdout.length - 1;
  return isOneLine ? parseObject(stdout) : stdout;
}
