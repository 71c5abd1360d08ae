/** MCP Apps (SEP-1865, 2026-01-26): the extension's name and the type of its documents. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
export const APP_TYPE = 'text/html;profile=mcp-app'
