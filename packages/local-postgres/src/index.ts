export { reachableFolder } from "./database-folder.ts";
export { LocalPostgresError, type LocalPostgresErrorCode } from "./local-postgres-error.ts";
export { OWNER_ROLE, SERVICE_ROLE } from "./roles.ts";
export {
  type LocalPostgres,
  type LocalPostgresOptions,
  startLocalPostgres,
} from "./start-local-postgres.ts";
