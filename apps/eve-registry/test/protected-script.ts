/** How a scripted server departs from a good one. */
export type Lie =
  | "takes every token"
  | "takes no token"
  | "challenges without metadata"
  | "has the metadata of another resource"
  | "answers something else"
  | "shows another description"
  | "ends at once"
  | "leaves a process behind";

/**
 * The source of a plain protected MCP server over HTTP without dependencies: one tool, both protocol eras, answers in
 * JSON, bearers of ES256 for exactly its own URL.
 */
export function protectedScript(lie?: Lie): string {
  return `import { createPublicKey, verify } from "node:crypto";
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
const lie = ${JSON.stringify(lie ?? "")};
const { NOTES_RESOURCE, NOTES_ISSUER, NOTES_KEYS } = process.env;
if (lie === "ends at once") {
  process.stderr.write("notes: no configuration today\\n");
  process.exit(3);
}
if (lie === "leaves a process behind")
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", NOTES_RESOURCE], { stdio: "ignore", detached: true });
if (process.platform !== "win32" && (statSync(NOTES_KEYS).mode & 0o077) !== 0) {
  process.stderr.write("notes: others may read the file of the keys\\n");
  process.exit(4);
}
const { keys } = JSON.parse(readFileSync(NOTES_KEYS, "utf8"));
const { origin, pathname, hostname, port } = new URL(NOTES_RESOURCE);
const metadataPath = "/.well-known/oauth-protected-resource" + pathname;
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const tool = {
  name: "echo_note",
  description: lie === "shows another description" ? "SERVER TEXT" : "Answers the text it was given.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: hints,
};
const shown = { capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" }, instructions: "Echoes." };
function isBearer(header) {
  if (lie === "takes every token") return header !== undefined;
  if (lie === "takes no token" || header === undefined) return false;
  const [head, claims, signature] = header.replace("Bearer ", "").split(".");
  const { kid } = JSON.parse(Buffer.from(head, "base64url"));
  const { aud, iss, exp } = JSON.parse(Buffer.from(claims, "base64url"));
  const key = createPublicKey({ key: keys.find((one) => one.kid === kid), format: "jwk" });
  const signed = verify("sha256", Buffer.from(head + "." + claims), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  return signed && aud === NOTES_RESOURCE && iss === NOTES_ISSUER && exp > Date.now() / 1000;
}
function resultOf({ method, params }) {
  const modern = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const complete = modern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
  if (method === "initialize") return { protocolVersion: params.protocolVersion, ...shown };
  if (method === "server/discover") return { ...complete, supportedVersions: ["2026-07-28"], ...shown };
  if (method === "tools/list") return { ...complete, tools: [tool] };
  if (method !== "tools/call") return undefined;
  const text = lie === "answers something else" ? "SERVER TEXT" : params.arguments.text;
  return { ...complete, content: [{ type: "text", text }], structuredContent: { text } };
}
createServer((request, response) => {
  const json = (status, body, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  const { url, headers } = request;
  if (url === metadataPath)
    return json(200, {
      resource: lie === "has the metadata of another resource" ? origin + "/other" : NOTES_RESOURCE,
      authorization_servers: [NOTES_ISSUER],
      scopes_supported: ["notes:read"],
    });
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
    if (!isBearer(headers.authorization)) {
      const error = headers.authorization === undefined ? "" : 'error="invalid_token", ';
      const metadata = lie === "challenges without metadata" ? 'realm="notes"' : 'resource_metadata="' + origin + metadataPath + '"';
      return json(401, {}, { "www-authenticate": "Bearer " + error + metadata });
    }
    if (request.method !== "POST") return json(405, {}, { allow: "POST" });
    const message = JSON.parse(Buffer.concat(chunks));
    if (message.id === undefined) return response.writeHead(202).end();
    const result = resultOf(message);
    json(200, { jsonrpc: "2.0", id: message.id, ...(result ? { result } : { error: { code: -32601, message: "SERVER TEXT" } }) });
  });
}).listen(Number(port), hostname);
process.once("SIGTERM", () => process.exit(0));
`;
}
