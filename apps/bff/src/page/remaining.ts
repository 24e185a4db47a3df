/** The time left in words, from ms: "9 minutes 12 seconds", "none". */
export function remainingText(ms: number): string {
  if (ms <= 0) return "none";
  const seconds = Math.floor(ms / 1000);
  const parts = [counted(Math.floor(seconds / 60), "minute"), counted(seconds % 60, "second")];
  return parts.filter((part) => part !== undefined).join(" ") || "less than a second";
}

function counted(count: number, unit: string): string | undefined {
  return count === 0 ? undefined : `${count} ${unit}${count === 1 ? "" : "s"}`;
}
