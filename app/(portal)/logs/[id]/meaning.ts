import { ERROR_TEXTS, type ErrorText } from '@/lib/core/error-texts'
import { faultText } from '@/lib/mcp/fault-texts'

const KNOWN: Partial<Record<string, ErrorText>> = ERROR_TEXTS

/** What became of a request that did not go well, by its code in the log: one of the API's, or a word of the protocol's. */
export function meaningOf({ errorCode, path }: { errorCode: string | null; path: string }): ErrorText | undefined {
  if (errorCode === null) return undefined
  const isMcp = /^\/mcp(\/|$)/.test(path)
  return (isMcp ? faultText(errorCode) : undefined) ?? KNOWN[errorCode] ?? faultText(errorCode)
}
