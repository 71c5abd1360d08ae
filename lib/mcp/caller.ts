import type { KeyActor } from '@/lib/auth/actor'
import type { ServiceError } from '@/lib/core/errors'
import type { Failed } from './call-tool'
import type { Conversation } from './conversation'
import type { AskPerson, Elicitation } from './elicitation'
import type { Requests } from './questions'
import type { ToolNames } from './tool-names'

/** The sender of a message, and the known facts about it. Optional fields are absent where the interface does not have them. */
export type Caller = {
  actor: KeyActor
  /** The tool names it is shown. */
  names: ToolNames
  requestId: string
  /** True when it renders views (MCP Apps). */
  rendersApps?: boolean
  /** Reports a failed call. */
  failed?: Failed | undefined
  /** The refusal of a call over its limit: its result says so, because the loop of an agent ends at an error of HTTP. */
  refused?: ServiceError | undefined
  /** The messages sent before the answer. */
  conversation?: Conversation
  /** The client's ability to ask its person, and their answers. */
  asked?: Elicitation
  /** Sends its client a request while a call runs. */
  requests?: Requests
  /** Asks its person while a call runs. */
  ask?: AskPerson | undefined
  /** Keeps the level of log messages that its session wants. */
  setLevel?: (level: string) => Promise<void>
  /** Keeps which URIs its session is told of. */
  subscriptions?: { add(uri: string): Promise<void>; remove(uri: string): Promise<void> }
}
