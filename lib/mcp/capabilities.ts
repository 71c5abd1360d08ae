/** MCP Apps (SEP-1865, 2026-01-26): the extension's name and the type of its documents. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
export const APP_TYPE = 'text/html;profile=mcp-app'

/** What we make use of that a client declares: that it renders views (MCP Apps), and that it shows its person forms. */
export type ClientAbilities = { rendersApps: boolean; showsForms: boolean }

/** Reads a client's capabilities, from `initialize` or from the envelope of the stateless revision. */
export function abilitiesIn(capabilities: unknown): ClientAbilities {
  const { extensions, elicitation } = Object(capabilities)
  const { mimeTypes } = Object(Object(extensions)[APPS_EXTENSION])
  return {
    rendersApps: Array.isArray(mimeTypes) && mimeTypes.includes(APP_TYPE),
    // 2025-11-25: an empty object means forms, as it did before there were addresses beside them.
    showsForms:
      typeof elicitation === 'object' && elicitation !== null && ('form' in elicitation || !('url' in elicitation)),
  }
}

/** What a client declares with each message of the stateless revision. */
export const abilitiesInEnvelope = (params: unknown): ClientAbilities =>
  abilitiesIn(Object(Object(params)._meta)['io.modelcontextprotocol/clientCapabilities'])

/** The same in the form that clients declare it, for a session to keep; null where there is nothing to keep. */
export function keptOf(capabilities: unknown): object | null {
  const { rendersApps, showsForms } = abilitiesIn(capabilities)
  if (!rendersApps && !showsForms) return null
  return {
    ...(rendersApps ? { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_TYPE] } } } : {}),
    ...(showsForms ? { elicitation: {} } : {}),
  }
}
