import type { Io } from "../../src/program/io.ts";

/** A process that a test can look at. */
export interface TestIo {
  readonly io: Io;
  readonly out: () => string;
  readonly err: () => string;
  /** Does what SIGTERM does. */
  readonly stop: () => void;
}

/** An Io with these settings and this registry; no registry where not said. */
export function testIo(env: Readonly<Record<string, string>> = {}, registry?: Uint8Array): TestIo {
  let [out, err] = ["", ""];
  const stops: (() => void)[] = [];
  return {
    io: {
      env,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
      readRegistry: () => (registry === undefined ? { fault: "missing" } : { bytes: registry }),
      now: () => Date.now(),
      onStop: (stop) => void stops.push(stop),
    },
    out: () => out,
    err: () => err,
    stop: () => stops.forEach((stop) => stop()),
  };
}

/** The codes of the JSON line that a refusing program writes first. */
export function refusedCodes(stderr: string): readonly string[] {
  const line: { refusals: { code: string }[] } = JSON.parse(stderr.split("\n")[0] ?? "");
  return line.refusals.map(({ code }) => code);
}
