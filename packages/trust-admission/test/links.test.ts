import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { missingNote, runsAgainst } from "@eve/config/shared-folder";
import { objectIn } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { judgeLinks, type Surface } from "../src/index.ts";
import { RECORDED, recorded, recordings } from "./recorded.ts";
import { asReviewed, codesOf, goodWorld, refusalsOf, withSurface } from "./world.ts";

const surface = (members: Partial<Surface>): Surface => ({
  protocolVersion: "2025-11-25",
  instructions: undefined,
  capabilities: undefined,
  tools: [],
  prompts: undefined,
  resources: undefined,
  resourceTemplates: undefined,
  ...members,
});
/** What is refused of a surface: code and subject of each. */
const told = (members: Partial<Surface>): readonly string[] =>
  judgeLinks("notes", surface(members)).map(({ code, subject }) => `${code} ${subject}`);
const toldOfTool = (tool: JsonObject): readonly string[] =>
  told({ tools: [{ name: "read", ...tool }] });
const toldOfIcon = (icon: JsonValue): readonly string[] => toldOfTool({ icons: [icon] });

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const JPEG = "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2w==";
const GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const WEBP = "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');

describe("an icon (MUST-CL-24)", () => {
  it.each([
    ["an https address", "https://icons.example/a.png"],
    ["an https address in capitals, with port and query", "HTTPS://icons.example:8443/a?b=c"],
    ["a PNG", PNG],
    ["a JPEG", JPEG],
    ["a JPEG by its other name", JPEG.replace("jpeg", "jpg")],
    ["a GIF", GIF],
    ["a WebP", WEBP],
  ])("may be %s", (_, src) => {
    expect(toldOfIcon({ src, sizes: ["48x48"], theme: "dark" })).toEqual([]);
  });

  it.each([
    ["SM-07 script", "javascript:alert(1)"],
    ["SM-07 script behind blanks and a line end", " \n java\tscript:alert(1)"],
    ["SM-07 script in capitals", "JavaScript:alert(1)"],
    ["SM-07 plain http", "http://icons.example/a.png"],
    ["SM-07 plain http of this machine", "http://127.0.0.1/a.png"],
    ["SM-07 SVG as data", `data:image/svg+xml;base64,${SVG.toString("base64")}`],
    ["SM-07 SVG as data, written out", "data:image/svg+xml,<svg onload='alert(1)'/>"],
    ["SM-07 SVG that calls itself PNG", `data:image/png;base64,${SVG.toString("base64")}`],
    ["SM-07 a page as data", "data:text/html;base64,PHNjcmlwdD4="],
    ["data of no type", "data:;base64,iVBORw0KGgo="],
    ["data of two types", PNG.replace(";base64", ";charset=x;base64")],
    ["data that is not base64", PNG.replace("base64,", "base64,%00")],
    ["data cut short", PNG.slice(0, -1)],
    ["a file", "file:///etc/passwd"],
    ["ftp", "ftp://icons.example/a.png"],
    ["a web socket", "wss://icons.example/a.png"],
    ["an address of an app", "vscode://icons.example/a.png"],
    ["an address without scheme", "//icons.example/a.png"],
    ["https without host", "https://"],
    ["https that browsers mend", "https:icons.example/a.png"],
    ["https with a password", "https://user:pw@icons.example/a.png"],
    ["https with a user", "https://user@icons.example/a.png"],
    ["https with a backslash", String.raw`https://icons.example\@evil.example/a.png`],
    ["https with a look-alike letter", "https://icоns.example/a.png"],
    ["https behind a blank", " https://icons.example/a.png"],
    ["nothing", ""],
    ["no text", 1],
    ["no address at all", undefined],
  ])("may not be %s: surface.icon_unsafe", (_, src) => {
    const icon = src === undefined ? {} : { src };
    expect(toldOfIcon(icon)).toEqual(["surface.icon_unsafe /tools/read/icons/0/src"]);
  });

  it.each<[string, string, JsonValue]>([
    ["may", "image/png", []],
    ["may", "IMAGE/WEBP", []],
    ["SM-07 may not", "image/svg+xml", ["surface.icon_unsafe /tools/read/icons/0/mimeType"]],
    ["may not", "text/html", ["surface.icon_unsafe /tools/read/icons/0/mimeType"]],
    ["may not", "image/png; x=y", ["surface.icon_unsafe /tools/read/icons/0/mimeType"]],
  ])("%s call itself %s", (_, mimeType, expected) => {
    expect(toldOfIcon({ src: "https://icons.example/a", mimeType })).toEqual(expected);
  });

  it.each<[string, JsonValue, string]>([
    ["no list", { src: "https://icons.example/a.png" }, "/tools/read/icons"],
    ["a text", "javascript:alert(1)", "/tools/read/icons"],
    ["null", null, "/tools/read/icons"],
    ["a list of texts", ["javascript:alert(1)"], "/tools/read/icons/0"],
  ])("is not looked for in %s: surface.icon_unsafe", (_, icons, field) => {
    expect(toldOfTool({ icons })).toEqual([`surface.icon_unsafe ${field}`]);
  });

  const icons = [{ src: "https://icons.example/a.png" }, { src: "javascript:alert(1)" }];
  it.each<[string, Partial<Surface>, string]>([
    ["a tool", { tools: [{ name: "a/b", icons }] }, "/tools/a~1b/icons/1/src"],
    ["a tool without a name", { tools: [{ icons }] }, "/tools/0/icons/1/src"],
    ["a prompt", { prompts: [{ name: "p", icons }] }, "/prompts/p/icons/1/src"],
    ["a resource", { resources: [{ uri: "a:b", icons }] }, "/resources/a:b/icons/1/src"],
    [
      "a template",
      { resourceTemplates: [{ uriTemplate: "a:{b}", icons }] },
      "/resourceTemplates/a:{b}/icons/1/src",
    ],
  ])("of %s is found: surface.icon_unsafe", (_, members, field) => {
    expect(told(members)).toEqual([`surface.icon_unsafe ${field}`]);
  });

  it("is no capability's: one of that name is not taken for a list of icons", () => {
    expect(told({ capabilities: { icons: {}, extensions: { "a.example/icons": {} } } })).toEqual(
      [],
    );
  });
});

describe("a link", () => {
  it.each([
    "https://notes.eve.example/a",
    "http://127.0.0.1:8080/",
    "file:///home/notes/a.md",
    "notes://today",
    "ui://widgets/a.html",
    "urn:isbn:1",
    "javascript.html",
    "/javascript:1",
    "",
  ])("may be %s", (uri) => {
    expect(told({ resources: [{ uri, name: "a" }] })).toEqual([]);
  });

  it.each([
    ["javascript:alert(1)", "javascript"],
    ["JAVASCRIPT:alert(1)", "javascript"],
    ["\u0001 java\nscript\t:alert(1)", "javascript"],
    ["java\u200bscript:alert(1)", "javascript"],
    ["vbscript:msgbox(1)", "vbscript"],
    ["data:text/html,<script>alert(1)</script>", "data"],
    ["data:image/svg+xml;base64,PHN2Zz4=", "data"],
    ["blob:https://notes.eve.example/1", "blob"],
    ["filesystem:https://notes.eve.example/a", "filesystem"],
    ["view-source:https://notes.eve.example/", "view-source"],
  ])("SM-07 may not be %j: surface.link_unsafe", (uri, scheme) => {
    const [refused, ...others] = judgeLinks(
      "notes",
      surface({ tools: [{ name: "read", _meta: { ui: { resourceUri: uri } } }] }),
    );
    expect(refused).toMatchObject({
      code: "surface.link_unsafe",
      subject: "/tools/read/_meta/ui/resourceUri",
      actual: `scheme ${scheme}`,
    });
    expect(others).toEqual([]);
  });

  const RUNS = "javascript:alert(1)";
  it.each<[string, Partial<Surface>, string]>([
    ["a resource", { resources: [{ uri: RUNS }] }, `/resources/${RUNS}/uri`],
    [
      "a template",
      { resourceTemplates: [{ uriTemplate: `${RUNS}{x}` }] },
      `/resourceTemplates/${RUNS}{x}/uriTemplate`,
    ],
    ["a website", { tools: [{ name: "read", websiteUrl: RUNS }] }, "/tools/read/websiteUrl"],
    ["a list", { tools: [{ name: "read", _meta: { urls: [RUNS] } }] }, "/tools/read/_meta/urls/0"],
    [
      "an icon that is nobody's own",
      { tools: [{ name: "read", _meta: { icons: [{ src: RUNS }] } }] },
      "/tools/read/_meta/icons/0/src",
    ],
    [
      "an extension",
      { capabilities: { extensions: { "a.example/b": { href: RUNS } } } },
      "/capabilities/extensions/a.example~1b/href",
    ],
    [
      "an argument of a prompt",
      { prompts: [{ name: "p", arguments: [{ name: "a", url: RUNS }] }] },
      "/prompts/p/arguments/0/url",
    ],
  ])("of %s is found: surface.link_unsafe", (_, members, field) => {
    expect(told(members)).toEqual([`surface.link_unsafe ${field}`]);
  });

  it.each<[string, JsonObject]>([
    ["a plain image as data", { _meta: { src: PNG } }],
    ["words that begin like one", { description: "javascript: runs a script", title: "data: all" }],
    [
      "a value that a tool is called with",
      { inputSchema: { properties: { url: { default: "data:,", uri: "javascript:1" } } } },
    ],
    ["no text", { _meta: { url: 1, uri: null, href: true, src: {} } }],
  ])("is not seen in %s", (_, tool) => {
    expect(toldOfTool(tool)).toEqual([]);
  });
});

describe("what a review pinned is refused still", () => {
  it.each<[string, JsonObject]>([
    ["surface.icon_unsafe", { icons: [{ src: "javascript:alert(1)" }] }],
    ["surface.link_unsafe", { _meta: { homeUrl: "javascript:alert(1)" } }],
  ])("SM-07 %s, alone", (code, members) => {
    const world = withSurface(goodWorld(), ["tools", 0], (tool) => ({
      ...objectIn(tool),
      ...members,
    }));
    expect(codesOf(refusalsOf(asReviewed(world)))).toEqual([code]);
  });
});

describe.runIf(runsAgainst(RECORDED))(`recorded surfaces${missingNote(RECORDED)}`, () => {
  it("of real servers have no icon or link that is refused", () => {
    expect(recordings().length).toBeGreaterThanOrEqual(15);
    const refused = recordings().filter((file) => judgeLinks(file, recorded(file)).length > 0);
    expect(refused).toEqual([]);
  });

  it("have addresses of the servers' own schemes", () => {
    const uris = recordings().flatMap((file) =>
      (recorded(file).resources ?? []).map(({ uri }) =>
        typeof uri === "string" ? uri.split(":")[0] : uri,
      ),
    );
    expect(new Set(uris)).toEqual(new Set(["demo", "ui"]));
  });
});
