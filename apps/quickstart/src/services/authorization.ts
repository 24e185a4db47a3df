import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { textAt } from "../json-members.ts";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";
import { startService } from "./service-process.ts";

/** The running authorization server. */
export interface Authorization {
  readonly issuer: string;
  /** The public keys of its tokens, as a JSON Web Key Set. */
  readonly keySet: JsonObject;
  /** An access token for exactly this resource, from the token endpoint. Rejects with StepError. */
  readonly tokenFor: (resource: string) => Promise<string>;
}

const PROGRAM = fileURLToPath(new URL("../authorization-server/main.ts", import.meta.url));
const CLIENT = "quickstart";
const SCOPE = "bellona:read";

/** Starts an authorization server for the resources named, with a client whose secret is of this run. */
export async function startAuthorization(
  resources: readonly string[],
  context: RunContext,
): Promise<Authorization> {
  const issuer = context.places.authorization;
  const secret = randomBytes(32).toString("hex");
  await startService(
    {
      name: "The authorization server",
      program: PROGRAM,
      nodeOptions: ["--conditions=@eve/source"],
      args: [],
      settings: {
        AS_ISSUER: issuer,
        AS_CLIENT: CLIENT,
        AS_SECRET: secret,
        AS_RESOURCES: resources.join(" "),
        AS_SCOPE: SCOPE,
      },
      readyAt: `${issuer}/.well-known/openid-configuration`,
      log: join(context.folder, "authorization-server.log"),
    },
    context,
  );
  const keySet = await objectFrom(fetch(`${issuer}/jwks`));
  return {
    issuer,
    keySet,
    tokenFor: async (resource) => {
      const answer = await objectFrom(requestToken(issuer, secret, resource));
      const token = textAt(answer, "access_token");
      if (token !== "") return token;
      throw new StepError(
        `expected a token for ${resource}; the authorization server answered ${textAt(answer, "error")}`,
      );
    },
  };
}

function requestToken(issuer: string, secret: string, resource: string): Promise<Response> {
  const basic = Buffer.from(`${CLIENT}:${secret}`).toString("base64");
  return fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: SCOPE, resource }),
  });
}

async function objectFrom(answered: Promise<Response>): Promise<JsonObject> {
  const response = await answered;
  const parsed = parseJson(new Uint8Array(await response.arrayBuffer()));
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
  throw new StepError(
    `expected a JSON object from the authorization server; it answered ${response.status}`,
  );
}
