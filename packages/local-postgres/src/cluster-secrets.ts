import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, writeFileSync } from "node:fs";
import { LocalPostgresError } from "./local-postgres-error.ts";

/** The passwords of a database's roles, and the database's name; in a file of mode 0600 beside its data. */
export interface ClusterSecrets {
  readonly database: string;
  readonly admin: string;
  readonly owner: string;
  readonly service: string;
}

/** New random passwords. */
export function newSecrets(database: string): ClusterSecrets {
  return { database, admin: password(), owner: password(), service: password() };
}

function password(): string {
  return randomBytes(24).toString("base64url");
}

/** Writes the file that is not there yet. */
export function writeSecrets(file: string, secrets: ClusterSecrets): void {
  writeFileSync(file, `${JSON.stringify(secrets)}\n`, { mode: 0o600, flag: "wx" });
}

/** Reads the file; a symlink is not followed. Throws `folder.incomplete`. */
export function readSecrets(file: string): ClusterSecrets {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const read: unknown = JSON.parse(readFileSync(descriptor, "utf8"));
      if (isSecrets(read)) return read;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw incomplete(file, error);
  }
  throw incomplete(file);
}

function incomplete(file: string, cause?: unknown): LocalPostgresError {
  return new LocalPostgresError(
    "folder.incomplete",
    `cannot read the passwords in ${file}: restore it, or move the folder away to start with an empty database`,
    cause,
  );
}

function isSecrets(value: unknown): value is ClusterSecrets {
  if (typeof value !== "object" || value === null) return false;
  const members: Readonly<Record<string, unknown>> = { ...value };
  return ["database", "admin", "owner", "service"].every(
    (name) => typeof members[name] === "string",
  );
}
