import { ERROR_TEXTS, type ErrorText } from '@/lib/core/error-texts'
import { faultText } from '@/lib/mcp/fault-texts'

const KNOWN: Partial<Record<string, ErrorText>> = ERROR_TEXTS

/** Explains a failed request by its code in the log, which is one of the API's codes or an MCP protocol error. */
export function meaningOf({ errorCode, path }: { errorCode: string | null; path: string }): ErrorText | undefined {
  if (errorCode === null) return undefined
  const isMcp = /^\/mcp(\/|$)/.test(path)
  return (isMcp ? faultText(errorCode) : undefined) ?? KNOWN[errorCode] ?? faultText(errorCode)
}
