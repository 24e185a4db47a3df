/** The registry's entries for callers of the old `trust.mjs`; the program itself obeys the file beside it instead. */
export { EXTERNAL_INTEGRATION_REGISTRY, MCP_SERVER_INVENTORY } from "@eve/registry";
