import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { BFF_VERSION } from "../identity.ts";
import { keygen } from "./audit-keys.ts";
import { beginCheckpointFile, keepSealing } from "./audit-seal.ts";
import { type VerifyFlags, verify } from "./audit-verify.ts";
import { type CredentialFlags, list, mint, revoke } from "./credentials.ts";
import { expiryFrom } from "./expiry.ts";
import { faultOf } from "./fault.ts";
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
  DATABASE_SEALER_URL    audit: PostgreSQL, as the sealer's role
  EVE_BFF_KEY_FILE       serve, credentials mint: file of 32 or more random bytes
  EVE_BFF_PUBLIC_ORIGIN  serve: origin that people and workbenches use
  EVE_BFF_LISTEN         serve: host:port (default 127.0.0.1:4092)
  EVE_BFF_ENVIRONMENT    serve, audit: id under which the highest registry is remembered and checkpoints
                         are signed (default of serve: made of the public origin)
  EVE_BFF_AUDIT_CHECKPOINTS  serve, audit: file of signed checkpoints, kept away from the database;
                         serve needs it and the public key in production
  EVE_BFF_AUDIT_PUBLIC_KEY   serve, audit verify: file of the public key that checks them
  EVE_BFF_AUDIT_KEY_FILE     audit begin, audit seal: file of the secret key that signs them, mode 0600

Exit codes: 0 well, 1 audit verify found something wrong, 2 usage, 70 fault of the program, 78 refused.`;

/** Runs one command and answers its exit code: 0, 1 found wrong, 2 usage, 70 fault, 78 refused. Never throws. */
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
  addAudit(program, io, done);
  return program;
}

function addAudit(program: Command, io: Io, done: (code: number) => void): void {
  const audit = program.command("audit").description("seal the audit rows, and verify them");
  audit
    .command("keygen")
    .description("make the sealer's keys, in two new files")
    .requiredOption("--key <file>", "new file for the secret key, mode 0600")
    .requiredOption("--public <file>", "new file for the public key")
    .action(async (flags: { key: string; public: string }) => done(await keygen(flags, io)));
  audit
    .command("begin")
    .description("verify the whole chain and begin a new file of checkpoints with it")
    .action(async () => done(await beginCheckpointFile(io)));
  audit
    .command("seal")
    .description("chain audit rows and sign checkpoints until SIGTERM")
    .option("--once", "until nothing is left")
    .action(async (flags: { once?: boolean }) => done(await keepSealing(flags, io)));
  audit
    .command("verify")
    .description("verify every audit row, its chain and the checkpoints")
    .option("--checkpoints <file>", "file of checkpoints (default: EVE_BFF_AUDIT_CHECKPOINTS)")
    .option("--key <file>", "public key (default: EVE_BFF_AUDIT_PUBLIC_KEY)")
    .option("--environment <id>", "whose checkpoints (default: EVE_BFF_ENVIRONMENT)")
    .option("--json", "tell the verdict as a JSON line")
    .action(async (flags: VerifyFlags) => done(await verify(flags, io)));
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
