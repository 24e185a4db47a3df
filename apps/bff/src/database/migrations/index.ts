import { ground } from "./0001-ground.ts";
import { credentials } from "./0002-credentials.ts";
import { items } from "./0003-items.ts";
import { audit } from "./0004-audit.ts";
import { consents } from "./0005-consents.ts";
import { registryMemory } from "./0006-registry-memory.ts";
import { itemFunctions } from "./0007-item-functions.ts";
import { requestConsent } from "./0008-request-consent.ts";
import { decideConsent } from "./0009-decide-consent.ts";
import { executeConsent } from "./0010-execute-consent.ts";
import { rights } from "./0011-rights.ts";
import { revokeCredential } from "./0012-revoke-credential.ts";
import { noWayAround } from "./0013-no-way-around.ts";
import { itemsAfterLocks } from "./0014-items-after-locks.ts";
import { auditChain } from "./0015-audit-chain.ts";
import { sealedRows } from "./0016-sealed-rows.ts";

/** Every migration by name, in the order they run. One that was released is never edited: a later one follows it. */
export const MIGRATIONS: Readonly<Record<string, string>> = {
  "0001-ground": ground,
  "0002-credentials": credentials,
  "0003-items": items,
  "0004-audit": audit,
  "0005-consents": consents,
  "0006-registry-memory": registryMemory,
  "0007-item-functions": itemFunctions,
  "0008-request-consent": requestConsent,
  "0009-decide-consent": decideConsent,
  "0010-execute-consent": executeConsent,
  "0011-rights": rights,
  "0012-revoke-credential": revokeCredential,
  "0013-no-way-around": noWayAround,
  "0014-items-after-locks": itemsAfterLocks,
  "0015-audit-chain": auditChain,
  "0016-sealed-rows": sealedRows,
};
