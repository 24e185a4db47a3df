// Does what its plan says (JSON in its argument), in either era: `surfaces` are what it can show; `lists` says which of
// them the n-th tools/list shows (the last one goes on), `calls` what the n-th tools/call does, `opens` what its first opening shows. It writes each method
// it is asked to the file `log` before it answers.
import { appendFileSync } from "node:fs";
import { answer, fail, note, speak, write } from "./speak.mjs";

const {
  era,
  surfaces,
  lists = [0],
  calls = [],
  opens = lists[0],
  ttlMs,
  log,
} = JSON.parse(process.argv[2]);
const isModern = era === "2026-07-28";
const complete = isModern
  ? { resultType: "complete", cacheScope: "private", ttlMs: ttlMs ?? 0 }
  : {};
let shown = surfaces[typeof opens === "number" ? opens : 0];
let listed = 0;
let called = 0;
let listenId;
const held = [];

const asked = (method) => appendFileSync(log, `${method}\n`);
const changed = () => note("notifications/tools/list_changed");
const opening = (id, method, versions) => {
  asked(method);
  const { capabilities, instructions } = shown;
  answer(id, {
    ...versions,
    capabilities,
    instructions,
    serverInfo: { name: "SERVER TEXT", version: String(process.pid) },
    ...complete,
  });
};
const list = (member) => (id) => {
  asked(member);
  answer(id, { [member]: shown[member], ...complete });
};

const doings = {
  answer: (id, n) =>
    answer(id, { content: [], structuredContent: { status: `call ${n}` }, ...complete }),
  change: (id, n) => {
    changed();
    doings.answer(id, n);
  },
  wrong: (id) => answer(id, { content: [], structuredContent: { status: 7 }, ...complete }),
  // Answered after the call that releases it.
  hold: (id, n) => held.push(() => doings.answer(id, n)),
  release: (id, n) => {
    doings.answer(id, n);
    for (const answerHeld of held.splice(0)) answerHeld();
  },
  ignore: () => {},
  progress: (id, n, { _meta }) => {
    const params = { progressToken: _meta.progressToken, progress: n, message: "SERVER TEXT" };
    write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
    doings.answer(id, n);
  },
  // Links that lead away, and a text that says another thing than its structure.
  linkAway: (id) => {
    const link = { type: "resource_link", name: "SERVER TEXT", uri: "file:///etc/passwd" };
    answer(id, { content: [link], structuredContent: { status: "ok" }, ...complete });
  },
  linkHome: (id) => {
    const uris = ["notes://n-1", "https://notes.eve.example/n-1"];
    const content = uris.map((uri) => ({ type: "resource_link", name: "note", uri }));
    answer(id, { content, structuredContent: { status: "ok" }, ...complete });
  },
  twoVoices: (id) => {
    const content = [{ type: "text", text: '{"status":"SERVER TEXT"}' }];
    answer(id, { content, structuredContent: { status: "ok" }, ...complete });
  },
  error: (id) => fail(id, -31000),
  die: () => process.exit(3),
  endListening: (id, n) => {
    answer(listenId, { resultType: "complete" });
    doings.answer(id, n);
  },
};

speak({
  ...(isModern
    ? {
        initialize: (id) => fail(id, -32601),
        "server/discover": (id) => opening(id, "server/discover", { supportedVersions: [era] }),
      }
    : { initialize: (id) => opening(id, "initialize", { protocolVersion: era }) }),
  "subscriptions/listen": (id) => {
    asked("subscriptions/listen");
    listenId = id;
  },
  "tools/list": (id) => {
    asked("tools/list");
    const state = lists[Math.min(listed, lists.length - 1)];
    listed += 1;
    if (state === "gone") return fail(id, -32000);
    if (state === "restless") changed();
    else shown = surfaces[state];
    answer(id, { tools: shown.tools, ...complete });
  },
  "prompts/list": list("prompts"),
  "resources/list": list("resources"),
  "resources/templates/list": list("resourceTemplates"),
  "tools/call": (id, params) => {
    asked("tools/call");
    called += 1;
    doings[calls[called - 1] ?? "answer"](id, called, params);
  },
  "notifications/cancelled": () => {
    asked("notifications/cancelled");
    for (const answerHeld of held.splice(0)) answerHeld();
  },
});
