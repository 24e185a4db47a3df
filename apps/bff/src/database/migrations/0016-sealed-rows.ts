import { credentialSeals } from "./0016/credential-seals.ts";
import { decideSealed } from "./0016/decide-sealed.ts";
import { executeSealed } from "./0016/execute-sealed.ts";
import { itemsAsTold } from "./0016/items-as-told.ts";
import { requestSealed } from "./0016/request-sealed.ts";
import { seals } from "./0016/seals.ts";

/**
 * What the owner of the database edits in a credential, a consent or an item is found where it is used. Credentials and
 * consents carry a seal over all their columns, made with keys outside the database; an item must be what the audit told
 * of it last, and so must an end: no row leaves one again. Besides: at most 256 requests of one tenant wait, an approval
 * is voided when its entry was quarantined or revoked, and an execution needs one round trip with everything before it.
 * What was made before has no seal: credentials are minted again, and requests are asked again.
 */
export const sealedRows: string = [
  seals,
  credentialSeals,
  itemsAsTold,
  requestSealed,
  decideSealed,
  executeSealed,
].join("\n");
