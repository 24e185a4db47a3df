// Starts a database (folder or none), tells of it in one line, then waits for a signal (`wait`) or returns (`return`).
import { startLocalPostgres } from "../../src/index.ts";

const [then, folder] = process.argv.slice(2);
const options = { durable: folder !== undefined, database: "eve" };
const server = await startLocalPostgres(folder === undefined ? options : { ...options, folder });
console.log(`${server.pid} ${server.folder}`);
if (then === "wait") setInterval(() => undefined, 1000);
