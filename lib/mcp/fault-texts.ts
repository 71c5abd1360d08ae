import type { ErrorText } from '@/lib/core/error-texts'
import { RPC, wordOf } from './fault'

const TEXTS: Record<(typeof RPC)[keyof typeof RPC], ErrorText> = {
  [RPC.parse]: { means: 'The body was no JSON.', next: 'Send one JSON-RPC message in UTF-8.' },
  [RPC.invalidRequest]: {
    means: 'The message is not one this server takes here.',
    next: 'The answer said why in `error.data.reason`.',
  },
  [RPC.methodNotFound]: {
    means: 'The protocol’s method is not known here.',
    next: 'Use those that the answer to `initialize` or `server/discover` offers; an MCP library does it by itself.',
  },
  [RPC.invalidParams]: {
    means: 'The parameters do not fit the method, or the tool is not there.',
    next: '`tools/list` has every tool with the schema of its arguments.',
  },
  [RPC.internal]: {
    means: 'Something failed on our side.',
    next: 'It is safe to try again. If it persists, give the operator the request id.',
  },
  [RPC.notAcceptable]: {
    means: 'The client does not accept what this server answers with.',
    next: 'Send `accept: application/json, text/event-stream`.',
  },
  [RPC.sessionNotFound]: {
    means: 'The session is unknown, over, or another key’s.',
    next: 'Begin a new one with `initialize`; clients do so by themselves.',
  },
  [RPC.resourceNotFound]: { means: 'There is no such resource.', next: '`resources/list` names those there are.' },
  [RPC.forbidden]: {
    means: 'The key may not do this, or the request came from a web page that is not ours.',
    next: 'Use a key with the scope the answer named.',
  },
}

const BY_WORD = new Map(Object.entries(TEXTS).map(([code, text]) => [wordOf(Number(code)), text]))

/** Explains a JSON-RPC error by its code word in the request log; undefined when it is not one of ours. */
export const faultText = (word: string): ErrorText | undefined => BY_WORD.get(word)
