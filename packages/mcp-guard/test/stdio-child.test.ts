import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { spawnStdio, type StdioLaunch } from "../src/index.ts";
import { isRunning, server, text } from "./kit.ts";

function script(code: string, change: Partial<StdioLaunch> = {}): StdioLaunch {
  return server("", { args: ["-e", code], ...change });
}

const READY = "console.log('ready')";
const STAY = "setInterval(() => {}, 1000)";

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let all = "";
  for await (const chunk of stream) all += text(chunk);
  return all;
}

describe.concurrent("a child on stdio", () => {
  it("tells its exit code, and hands on its stderr", async () => {
    let stderr = "";
    const onStderr = (chunk: Uint8Array): void => void (stderr += text(chunk));
    const child = spawnStdio(
      script("console.error('refused'); process.exitCode = 78", { onStderr }),
    );
    expect(await child.exit).toEqual({ code: 78, signal: null, startError: undefined });
    await child.end();
    expect(stderr).toBe("refused\n");
  });

  it("gets the environment and folder it was given, and no more", async () => {
    const code = "console.log(JSON.stringify([process.env, process.cwd()]))";
    const child = spawnStdio(script(code, { env: { ONLY: "this" }, cwd: "/" }));
    expect(JSON.parse(await readAll(child.channel.fromServer))).toEqual([{ ONLY: "this" }, "/"]);
    await child.end();
  });

  it("gets its arguments as they are, since there is no shell", async () => {
    const child = spawnStdio(
      script("console.log(process.argv.at(-1))", {
        args: ["-p", "process.argv.at(-1)", "$(id); `id` && *"],
      }),
    );
    expect(await readAll(child.channel.fromServer)).toBe("$(id); `id` && *\n");
    await child.end();
  });

  it("may end by itself when its input ends", async () => {
    const child = spawnStdio(
      script(`${READY}; process.stdin.resume().on("end", () => process.exit(5))`),
    );
    await once(child.channel.fromServer, "data");
    child.channel.toServer.end();
    expect(await child.exit).toMatchObject({ code: 5 });
    expect(await child.end()).toMatchObject({ code: 5 });
  });

  it("gets the grace that its launch names, before it is told to go", async () => {
    const slow = `process.stdin.resume().on("end", () => setTimeout(() => process.exit(7), 1_000)); ${READY}`;
    const child = spawnStdio(script(slow, { graceMs: 20_000 }));
    await once(child.channel.fromServer, "data");
    expect(await child.end()).toEqual({ code: 7, signal: null, startError: undefined });
    const hurried = spawnStdio(script(slow, { graceMs: 50 }));
    await once(hurried.channel.fromServer, "data");
    expect(await hurried.end()).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it("is told to go where it does not", async () => {
    const child = spawnStdio(
      script(`${STAY}; process.on("SIGTERM", () => process.exit(6)); ${READY}`, {
        graceMs: 2_000,
      }),
    );
    await once(child.channel.fromServer, "data");
    expect(await child.end()).toMatchObject({ code: 6 });
  });

  it("is killed where it does not go when told", async () => {
    const child = spawnStdio(script(`${STAY}; process.on("SIGTERM", () => {}); ${READY}`));
    await once(child.channel.fromServer, "data");
    expect(await child.end()).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(isRunning(child.pid ?? 0)).toBe(false);
  });

  it("ends once, however often it is asked", async () => {
    const child = spawnStdio(server("pages"));
    expect(child.end()).toBe(child.end());
    await child.end();
  });

  it.each([
    ["no such command", { command: "/nonexistent/command" }, "ENOENT"],
    ["no such folder", { cwd: "/nonexistent/folder" }, "ENOENT"],
    ["a folder as the command", { command: "/" }, "EACCES"],
    ["a NUL in an argument", { args: ["a\0b"] }, "ERR_INVALID_ARG_VALUE"],
  ])("answers why it did not start: %s", async (_, change, startError) => {
    const child = spawnStdio(server("pages", change));
    expect(await child.exit).toEqual({ code: null, signal: null, startError });
    expect(await readAll(child.channel.fromServer)).toBe("");
    expect(await child.end()).toEqual(await child.exit);
  });

  it("does not outlive the process that started it", async () => {
    const index = JSON.stringify(fileURLToPath(new URL("../src/index.ts", import.meta.url)));
    const code = `import(${index}).then(({ spawnStdio }) => {
      const { pid } = spawnStdio({ command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"], env: {} });
      console.log(pid);
      process.exit(0);
    })`;
    const { stdout } = spawnSync(process.execPath, ["--conditions=@eve/source", "-e", code], {
      encoding: "utf8",
    });
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
