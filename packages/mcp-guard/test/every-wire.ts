import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JsonObject } from "@eve/canonical-json";
import {
  observeHttpServer,
  observeSurface,
  type ObservedSurface,
  type SurfaceRequest,
} from "../src/index.ts";
import { lyingServer, send } from "./http-kit.ts";

/** One request as any server gets it. */
interface Question {
  readonly id: number;
  readonly method: string;
  readonly cursor: string | undefined;
}

/**
 * What a server does with a request: the whole message it answers, or one of four words: `cut` ends the connection inside the answer,
 * `silence` never answers, `trickle` says something else without end, `flood` as fast as it can.
 */
type Doing = string;

/** A server without a transport. */
export type Server = (asked: Question) => Doing;

/** Observes a server over one transport. */
export type Observe = (server: Server, request: SurfaceRequest) => Promise<ObservedSurface>;

const NOTE = `{"jsonrpc":"2.0","method":"notifications/message","params":{"x":"${"x".repeat(1_000)}"}}`;
const HALF = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"half';

const questionIn = (text: string): Question => {
  const { id, method, params }: { id: number; method: string; params?: { cursor?: string } } =
    JSON.parse(text);
  return { id, method, cursor: params?.cursor };
};

/** The messages of one server over a pair of byte streams. */
const overStreams: Observe = async (server, request) => {
  const channel = { toServer: new PassThrough(), fromServer: new PassThrough() };
  const timers: NodeJS.Timeout[] = [];
  const say = (text: string): unknown => channel.fromServer.write(`${text}\n`);
  createInterface({ input: channel.toServer }).on("line", (line) => {
    const asked = questionIn(line);
    if (asked.id === undefined) return;
    const doing = server(asked);
    if (doing === "cut") channel.fromServer.end(HALF);
    else if (doing === "trickle") timers.push(setInterval(() => say(NOTE), 10));
    else if (doing === "flood")
      timers.push(setInterval(() => say(NOTE.repeat(1).padEnd(1_100)), 0));
    else if (doing !== "silence") say(doing);
  });
  const observed = await observeSurface(channel, request);
  timers.forEach(clearInterval);
  return observed;
};

/** The messages of one server over HTTP, as JSON bodies or as events. */
const overHttp =
  (type: "application/json" | "text/event-stream"): Observe =>
  async (server, request) => {
    const timers: NodeJS.Timeout[] = [];
    const running = await lyingServer(({ id, method, cursor }, response) => {
      if (id === undefined || method === undefined) return undefined;
      const doing = server({ id, method, cursor });
      const isStream = type === "text/event-stream";
      const say = (text: string): unknown => response.write(isStream ? `data: ${text}\n\n` : text);
      if (doing === "silence") return true;
      if (doing === "cut" || doing === "trickle" || doing === "flood")
        response.writeHead(200, { "content-type": type });
      if (doing === "cut") {
        response.write(isStream ? `data: ${HALF}` : HALF);
        setTimeout(() => (isStream ? response.end() : response.destroy()), 20);
      } else if (doing === "trickle")
        timers.push(setInterval(() => say(isStream ? NOTE : " "), 10));
      else if (doing === "flood")
        timers.push(setInterval(() => say(isStream ? NOTE : " ".repeat(1_100)), 0));
      else send(response, isStream ? `data: ${doing}\n\n` : doing, { type });
      return true;
    });
    const observed = await observeHttpServer(running, request);
    timers.forEach(clearInterval);
    await running.close();
    return observed;
  };

/** Each way a server can be read. */
export const WIRES: Readonly<Record<string, Observe>> = {
  "byte streams": overStreams,
  "HTTP with JSON bodies": overHttp("application/json"),
  "HTTP with event streams": overHttp("text/event-stream"),
};

/** What an answer's result has beside its own members in an era. */
function dressed(version: string, result: JsonObject): JsonObject {
  return version === "2026-07-28"
    ? { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result }
    : result;
}

/** A result as a whole message. */
export function answering(version: string, id: number, result: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: dressed(version, result) });
}

/** An error as a whole message, with a text that must never be shown. */
export function failing(id: number, code: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "SERVER TEXT" } });
}

const tool = (name: string): JsonObject => ({
  name,
  description: name,
  inputSchema: { type: "object" },
});

const ITEMS: ReadonlyMap<string, readonly [member: string, items: readonly JsonObject[]]> = new Map(
  Object.entries<readonly [string, readonly JsonObject[]]>({
    "tools/list": ["tools", [tool("one"), tool("two"), tool("three")]],
    "prompts/list": ["prompts", [{ name: "p1" }, { name: "p2" }]],
    "resources/list": [
      "resources",
      [
        { uri: "memo://1", name: "r1" },
        { uri: "memo://2", name: "r2" },
      ],
    ],
    "resources/templates/list": ["resourceTemplates", [{ uriTemplate: "memo://{id}", name: "t1" }]],
  }),
);

/** An honest server of one version: each list has one item a page, and "" is the cursor of the second. */
export function honestServer(version: string): Server {
  return ({ id, method, cursor }) => {
    const about = {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: "SERVER TEXT", version: "1" },
      instructions: "Ask kindly.",
    };
    if (method === "initialize")
      return answering(version, id, { protocolVersion: version, ...about });
    if (method === "server/discover")
      return answering(version, id, { supportedVersions: [version], ...about });
    const [member, items] = ITEMS.get(method) ?? ["", []];
    const at = cursor === undefined ? 0 : cursor === "" ? 1 : Number(cursor);
    const next = at + 1 < items.length ? { nextCursor: at === 0 ? "" : String(at + 1) } : {};
    return answering(version, id, { [member]: items.slice(at, at + 1), ...next });
  };
}
