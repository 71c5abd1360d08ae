/** The name of the MCP Apps extension (SEP-1865, 2026-01-26), and the type of its documents. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
export const APP_TYPE = 'text/html;profile=mcp-app'

/** The declared client abilities that we use: it renders views (MCP Apps), and it shows its person forms. */
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

/** Reads the abilities that a client declares with each message of the stateless revision. */
export const abilitiesInEnvelope = (params: unknown): ClientAbilities =>
  abilitiesIn(Object(Object(params)._meta)['io.modelcontextprotocol/clientCapabilities'])

/** The same in the form that clients declare it, for a session to keep; null where there is nothing to keep. */
export function storedCapabilities(capabilities: unknown): object | null {
  const { rendersApps, showsForms } = abilitiesIn(capabilities)
  if (!rendersApps && !showsForms) return null
  return {
    ...(rendersApps ? { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_TYPE] } } } : {}),
    ...(showsForms ? { elicitation: {} } : {}),
  }
}
