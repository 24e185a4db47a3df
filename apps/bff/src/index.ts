export { buildApp } from "./app.ts";
export type { AppOptions } from "./app-options.ts";
export {
  type BffDatabase,
  type BffKeys,
  connectDatabase,
  type CredentialRequest,
  deriveKeys,
  migrate,
  mintCredential,
} from "./database/database.ts";
export type { LogEvent } from "./http/log.ts";
export { runCli } from "./program/cli.ts";
export { inputSchemas } from "./tools/input-schemas.ts";
