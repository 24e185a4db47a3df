/** What the letters of a hostile input's id stand for, in the order of the bank. */
export const ATTACK_CLASSES: Readonly<Record<string, string>> = {
  RB: "bytes of a registry file",
  RS: "fields of a registry file",
  RT: "dates of a registry file",
  RP: "paths, sources and launches of an entry",
  RR: "signing and succession of registries",
  ST: "descriptions that a server shows",
  SS: "schemas that a server shows",
  SN: "names, pages and versions of a server",
  SM: "metadata, instructions and capabilities of a server",
  SR: "traffic through the guard",
  CB: "what a consent is bound to",
  CI: "who asks for and who decides a consent",
  CS: "states of a consent",
  CC: "concurrency and crashes",
  CW: "the console",
  TA: "access tokens",
  TH: "authorization headers",
  TX: "HTTP requests",
  TD: "how clients discover and authorize",
  TL: "credentials and where they go",
};

/** The class of a hostile input. */
export function classOf(id: string): string {
  return id.slice(0, 2);
}
