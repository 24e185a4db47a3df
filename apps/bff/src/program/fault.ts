/** An error's class, code and, where a constraint of ours refused a row, its name; a message may quote a connection string. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const told = ["code", "constraint"].map((name) => textOf(error, name));
  return [error.name, ...told].filter((part) => part !== "").join(" ");
}

function textOf(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : "";
}
