import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { BFF_VERSION } from "../identity.ts";
import { type CredentialFlags, list, mint, revoke } from "./credentials.ts";
import { expiryFrom } from "./expiry.ts";
import type { Io } from "./io.ts";
import { runMigrations } from "./migrate.ts";
import { serve } from "./serve.ts";

/** The command's words are off. */
const EXIT_USAGE = 2;
/** A fault of the program. */
const EXIT_FAULT = 70;

const SETTINGS = `
Settings:
  DATABASE_URL           serve: PostgreSQL, as the service's role
  DATABASE_OWNER_URL     migrate, credentials: PostgreSQL, as the owner
  EVE_BFF_KEY_FILE       serve, credentials mint: file of 32 or more random bytes
  EVE_BFF_PUBLIC_ORIGIN  serve: origin that people and workbenches use
  EVE_BFF_LISTEN         serve: host:port (default 127.0.0.1:4092)
  EVE_BFF_ENVIRONMENT    serve: id under which the highest registry is remembered
                         (default: made of the public origin)

Exit codes: 0 well, 2 usage, 70 fault of the program, 78 refused.`;

/** Runs one command and answers its exit code: 0, 2 usage, 70 fault, 78 refused. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let exit = 0;
  const program = buildProgram(io, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    io.stderr(`${JSON.stringify({ event: "bff.fault", fault: faultOf(error) })}\n`);
    return EXIT_FAULT;
  }
}

function buildProgram(io: Io, done: (code: number) => void): Command {
  const program = new Command("bff")
    .description("The workbench's backend: previews, one-shot approvals, effects.")
    .version(BFF_VERSION)
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
    .showHelpAfterError("Run it with --help to see what it takes.")
    .addHelpText("after", SETTINGS);
  program
    .command("serve")
    .description("serve the HTTP API and the decision page until SIGTERM")
    .action(async () => done(await serve(io)));
  program
    .command("migrate")
    .description("bring the database to this program's schema")
    .action(async () => done(await runMigrations(io)));
  addCredentials(program, io, done);
  return program;
}

function addCredentials(program: Command, io: Io, done: (code: number) => void): void {
  const credentials = program
    .command("credentials")
    .description("mint a credential (by default), list all, or revoke one");
  credentials
    .command("mint", { isDefault: true })
    .description("mint a credential; its bearer is shown once")
    .addOption(
      new Option("--class <class>", "what it may do")
        .choices(["shared", "agent", "operator"])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--realm <realm>", "which deployments it is for")
        .choices(["live", "local"])
        .makeOptionMandatory(),
    )
    .requiredOption("--principal <name>", "person or team that answers for it")
    .requiredOption("--actor <name>", "name it acts under")
    .requiredOption("--tenant <name>", "tenant it is for")
    .option("--scope <permission>", "permission of a tool; can be repeated", repeated, [])
    .addOption(
      new Option("--expires <when>", "an instant, or a span such as 12h or 30d")
        .argParser((text) => expiryFrom(text, io.now()))
        .makeOptionMandatory(),
    )
    .option("--to <file>", "new file for the bearer, mode 0600 (default: stdout)")
    .action(async (flags: CredentialFlags) => done(await mint(flags, io)));
  credentials
    .command("list")
    .description("tell every credential as a JSON line, without its bearer")
    .action(async () => done(await list(io)));
  const revoking = credentials
    .command("revoke")
    .description("revoke a credential: it is refused from its next request on")
    .argument("<id>", "its id, as `bff credentials list` tells it", credentialId)
    .action(async (id: string) => {
      const code = await revoke(id, io);
      if (code === undefined)
        revoking.error("There is no credential with this id: `bff credentials list` tells all.");
      else done(code);
    });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function credentialId(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError("Give the id that `bff credentials list` tells.");
}

/** The list with one more. */
function repeated(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

/** An error's class, code and, where a constraint of ours refused a row, its name; a message may quote a connection string. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const told = ["code", "constraint"].map((name) => textOf(error, name));
  return [error.name, ...told].filter((part) => part !== "").join(" ");
}

function textOf(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : "";
}
