/** Images that run nothing; SVG can hold script, and what no list names may. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/jpg",
  "image/gif",
  "image/webp",
]);

/** How base64 begins that holds one of these images: what a data URI calls itself is the server's word. */
const IMAGE_BEGINS: RegExp =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD(?:dh|lh)|UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]*={0,2}$/;

/** Schemes whose address is itself what a client would run or show. */
const RUN_BY_CLIENTS: ReadonlySet<string> = new Set([
  "blob",
  "data",
  "filesystem",
  "javascript",
  "vbscript",
  "view-source",
]);

/** Whether a MIME type names an image that runs nothing. */
export function isPlainImageType(type: string): boolean {
  return IMAGE_TYPES.has(type.toLowerCase());
}

/** Whether a text is a data URI of an image that runs nothing, in base64 that begins as such an image does. */
export function isPlainImageData(text: string): boolean {
  const [, type, data] = /^data:([a-z/]+);base64,(.*)$/i.exec(text) ?? [];
  if (type === undefined || data === undefined || !isPlainImageType(type)) return false;
  return data.length % 4 === 0 && IMAGE_BEGINS.test(data);
}

/** Whether every reader takes a text for one https address: plain ASCII, a host, no user and no password. */
export function isPlainHttps(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/i.test(text) || text.includes("\\") || !URL.canParse(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  return protocol === "https:" && hostname !== "" && username === "" && password === "";
}

/** The scheme of an address that a client would run or show, as browsers read it: they drop blanks and line ends. */
export function runnableScheme(text: string): string | undefined {
  const plain = text.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]/gu, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
  return scheme !== undefined && RUN_BY_CLIENTS.has(scheme) ? scheme : undefined;
}
