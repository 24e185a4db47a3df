import { Command } from "commander";
import { resolve } from "node:path";
import { assembleTo } from "./commands/assemble.ts";
import { CLIENTS, config } from "./commands/config.ts";
import { diff } from "./commands/diff.ts";
import { doctor } from "./commands/doctor.ts";
import { explain } from "./commands/explain.ts";
import { status } from "./commands/status.ts";
import { verify } from "./commands/verify.ts";
import { type MeasureFlags, type RenewFlags, runMeasure, runRenew } from "./flags.ts";
import type { Io } from "./io.ts";
import type { Outcome } from "./outcome.ts";
import { stateFolder } from "./state-folder.ts";
import { findWorkspace, type Workspace } from "./workspace.ts";

interface DiffFlags {
  readonly spawn?: boolean;
  readonly packages?: string;
}

/** The command line: its words, what they mean, and what each hands to which command. `done` gets the outcome. */
export function buildProgram(io: Io, done: (outcome: Outcome) => void): Command {
  const program = new Command("eve-registry")
    .description("The command line of the owners of a registry of external integrations.")
    .version(io.version)
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Run it with --help to see what it takes.")
    .option(
      "--registry <dir>",
      "folder of the registry (default: the nearest registry/ from here upwards)",
    )
    .option("--root <dir>", "folder that source paths start from (default: the registry's parent)")
    .option("--json", "one JSON value {ok, refusals, …} on stdout, before or after the command")
    .addHelpText("after", "\nExit codes: 0 well, 2 usage, 70 fault of the program, 78 refused.");
  const workspace = (): Workspace =>
    findWorkspace(io.cwd, program.opts<{ registry?: string; root?: string }>());

  program
    .command("assemble")
    .description("check structure and evidence, write registry.json into a folder")
    .requiredOption("--to <dir>", "folder that gets registry.json")
    .action(({ to }: { to: string }) => done(assembleTo(workspace(), resolve(io.cwd, to))));

  program
    .command("measure <id>")
    .description(
      "measure what an entry pins and print it; with --package, draft an entry of an installed npm package; writes nothing",
    )
    .option("--spawn", "allow running a third party's program")
    .option(
      "--packages <dir>",
      "folder whose node_modules holds third parties' packages (default: this folder)",
    )
    .option("--package <name>", "npm package that has no entry yet")
    .option("--bin <name>", "the command of that package, where it has several")
    .option("--arg <word...>", "arguments of that command; --arg=--word for one with dashes")
    .option("--env <name...>", "environment variables it may see")
    .option(
      "--capabilities <json>",
      "client capabilities to declare while measuring a package (default: {})",
    )
    .option(
      "--allow <exception...>",
      "hidden code points that a text of a package may hold, as FIELD=U+200B; the draft says so",
    )
    .action(async (id: string, flags: MeasureFlags) =>
      done(await runMeasure(id, flags, workspace, io)),
    );

  program
    .command("diff <id>")
    .description("what a server serves now against what its review saw, graded; writes nothing")
    .option("--spawn", "allow running a third party's program")
    .option(
      "--packages <dir>",
      "folder whose node_modules holds third parties' packages (default: this folder)",
    )
    .action(async (id: string, { spawn = false, packages = "" }: DiffFlags) =>
      done(await diff(workspace(), id, { spawn, packages: resolve(io.cwd, packages) }, io.env)),
    );

  program
    .command("verify")
    .description("check that no entry is stale against its source, build, evidence and dates")
    .option("--live", "run each first-party program and compare what it serves")
    .option(
      "--since <revision>",
      "also hold this registry against that of a git revision: what changed was renewed, and the sequence rose",
    )
    .action(async ({ live = false, since }: { live?: boolean; since?: string }) =>
      done(await verify(workspace(), { live, since }, io)),
    );

  program
    .command("renew [id]")
    .description(
      "rerun probe and evaluation, write digests, evidence, dates and the next sequence, all or nothing",
    )
    .option("--all", "every first-party entry")
    .option("--if-stale", "leave alone what is fresh")
    .option("--reason <text>", "why; kept in the evidence (default: asked on a terminal)")
    .option("--review", "record an owner review of the surface and the entry as they now stand")
    .option("--reviewer <team>", "team that reviewed; needed with --review")
    .action(async (id: string | undefined, flags: RenewFlags) =>
      done(await runRenew(id, flags, workspace, io)),
    );

  program
    .command("status")
    .description("how many days each entry has left, and what stands against it now; runs nothing")
    .action(() => done(status(workspace(), io.now())));

  program
    .command("config <id>")
    .description("a client's configuration of an entry's server, ready to paste")
    .requiredOption("--client <name>", CLIENTS.join(", "))
    .action((id: string, { client }: { client: string }) => done(config(workspace(), id, client)));

  program
    .command("explain <code>")
    .description("what a refusal code means and what to do")
    .action((code: string) => done(explain(code)));

  program
    .command("doctor")
    .description("why integrations last refused to start on this machine")
    .action(() => done(doctor(stateFolder(io.env))));

  return program;
}
