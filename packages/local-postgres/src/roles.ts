/** The superuser of a local database: for set-up and tests; no service gets it. */
export const ADMIN_ROLE = "eve_admin";
/** The role that owns the database and migrates it; no superuser, may create roles. */
export const OWNER_ROLE = "eve_owner";
/** The role that a service connects as; migrations grant it what it may do. */
export const SERVICE_ROLE = "eve_service";
/** The role that a test's sealer of audit rows connects as; migrations grant it what it may do. */
export const SEALER_ROLE = "eve_sealer";

/** What a role may do, as `CREATE ROLE` and `ALTER ROLE` take it. The password has no quote in it. */
export function ownerAttributes(password: string): string {
  return `LOGIN CREATEROLE CREATEDB PASSWORD '${password}'`;
}

/** The same for the service and the sealer: nothing but to connect. */
export function serviceAttributes(password: string): string {
  return `LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '${password}'`;
}
