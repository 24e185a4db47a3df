import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refusalSheet } from "../src/refusal-sheet.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { OPENINGS, runToEnd } from "../src/run.ts";
import { canTrace, traced, tracedNote } from "../src/traced.ts";
import { goodWorkbench, workbenchTrial } from "../src/trial.ts";
import { wireSurface } from "../src/wire-surface.ts";

const NOW = Date.now();
const good = goodWorkbench(NOW);
const legacy = await wireSurface(workbenchTrial(good).launch, "2025-11-25");

/** One way to get each code, and every one that names a path or a program. */
const ROWS = refusalSheet(NOW, legacy).filter(
  ({ what, code }, i, all) =>
    what.startsWith("RP-") || all.findIndex((row) => row.code === code) === i,
);

/** What Node and its libraries read wherever they run; `package.json` is looked for in each folder above the script. */
const OF_THE_RUNTIME =
  /^(\/etc\/(ld\.so\.\w+|localtime|ssl\/.*|gai\.conf)|\/(usr\/)?lib(64|32)?\/.*|\/usr\/share\/(zoneinfo|locale)\/.*|\/proc\/(self|version|meminfo|sys|cpuinfo)[^"]*|\/sys\/.*|\/dev\/(null|random|urandom)|(\/.*)?\/package\.json)$/;

describe
  .runIf(canTrace())
  .concurrent(`a built workbench that is refused at start (O2)${tracedNote()}`, () => {
    test.each(ROWS)(
      "starts no program, opens no socket and reads nothing but its own files, $what: $code",
      async (row) => {
        const trial = workbenchTrial(good, row);
        const { launch, reach } = traced(row.launch?.(trial) ?? trial.launch);
        const opening = OPENINGS[row.era ?? "legacy"];
        const ended = await runToEnd(launch, { input: opening.line });
        expect(toldBy(ended, row.code)).toEqual(refusedWith(row.code, opening.id));
        const { executed, processes, sockets, opened, written } = reach();
        expect({ programs: executed.length, processes, sockets }).toEqual({
          programs: 1,
          processes: 0,
          sockets: [],
        });
        const isItsOwn = (file: string): boolean =>
          file === executed[0] || file.startsWith(`${trial.folder}/`);
        expect(opened.filter((file) => !isItsOwn(file) && !OF_THE_RUNTIME.test(file))).toEqual([]);
        const notes = join(trial.folder, "state");
        expect(written.filter((file) => file !== "/dev/null" && !file.startsWith(notes))).toEqual(
          [],
        );
      },
    );

    test("is traced: a program that does all of it is seen", async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const address = server.address();
      if (address === null || typeof address === "string") throw new TypeError("a port");
      const { launch } = workbenchTrial(good);
      const script = `
        require("node:fs").readFileSync("/etc/hostname");
        require("node:fs").writeFileSync("made", "");
        require("node:child_process").spawnSync("true");
        require("node:net").connect(${address.port}, "127.0.0.1").on("connect", () => process.exit());`;
      const seen = traced({ ...launch, args: ["-e", script] });
      await runToEnd(seen.launch, {});
      server.close();
      const { executed, processes, sockets, opened, written } = seen.reach();
      expect(executed.some((file) => file.endsWith("/true"))).toBe(true);
      expect(processes).toBeGreaterThan(0);
      expect(sockets.join()).toContain(String(address.port));
      expect(opened).toContain("/etc/hostname");
      expect(written).toContain("made");
    });
  });
