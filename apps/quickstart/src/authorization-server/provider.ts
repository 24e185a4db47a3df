import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { errors, Provider } from "oidc-provider";

/** What an authorization server of a run is made from. */
export interface ProviderOptions {
  /** Its identifier: an origin. */
  readonly issuer: string;
  /** The one client, which acts for itself (RFC 6749, 4.4). */
  readonly client: { readonly id: string; readonly secret: string };
  /** The resources it issues tokens for (RFC 8707). */
  readonly resources: readonly string[];
  /** The scope of each. */
  readonly scope: string;
}

const LIFETIME_SECONDS = 300;

/** Makes a real authorization server that issues `at+jwt` (RFC 9068) of five minutes, with exactly one audience. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, client, resources, scope } = options;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = randomBytes(8).toString("hex");
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return {
            scope,
            audience: resource,
            accessTokenTTL: LIFETIME_SECONDS,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "ES256" } },
          };
        },
      },
    },
  });
}
