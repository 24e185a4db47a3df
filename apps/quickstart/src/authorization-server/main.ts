import { createServer } from "node:http";
import { createProvider } from "./provider.ts";

const {
  AS_ISSUER = "",
  AS_CLIENT = "",
  AS_SECRET = "",
  AS_RESOURCES = "",
  AS_SCOPE = "",
} = process.env;

const provider = await createProvider({
  issuer: AS_ISSUER,
  client: { id: AS_CLIENT, secret: AS_SECRET },
  resources: AS_RESOURCES.split(" "),
  scope: AS_SCOPE,
});
const serve = provider.callback();
const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});
const stop = (): void => {
  server.close();
  server.closeAllConnections();
};
process.once("SIGINT", stop).once("SIGTERM", stop);
server.listen(Number(new URL(AS_ISSUER).port), "127.0.0.1");
