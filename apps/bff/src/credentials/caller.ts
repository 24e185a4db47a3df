/** `shared` reads, `agent` is one actor, `operator` approves and creates items. */
export type CredentialClass = "shared" | "agent" | "operator";

/** Which deployments a credential is for. */
export type Realm = "live" | "local";

/** Who calls, as the stored credential says; nothing of it comes from a body or another header. */
export interface Caller {
  readonly credentialId: string;
  readonly class: CredentialClass;
  readonly realm: Realm;
  /** The person or team that answers for the credential. */
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
}
