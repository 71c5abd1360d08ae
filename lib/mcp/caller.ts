import type { KeyActor } from '@/lib/auth/actor'
import type { Failed } from './call-tool'
import type { Conversation } from './conversation'
import type { Ask, Asked } from './elicitation'
import type { Requests } from './questions'
import type { ToolNames } from './tool-names'

/** Who sent a message, and what is known of it. Optional fields are absent where the face has no such thing. */
export type Caller = {
  actor: KeyActor
  /** The tool names it is shown. */
  names: ToolNames
  requestId: string
  /** Whether it renders views (MCP Apps). */
  rendersApps?: boolean
  /** Told of a failed call. */
  failed?: Failed | undefined
  /** What is sent before the answer. */
  conversation?: Conversation
  /** Whether its person can be asked, and what they said. */
  asked?: Asked
  /** Sends its client a request while a call runs. */
  requests?: Requests
  /** Asks its person while a call runs. */
  ask?: Ask | undefined
  /** Keeps the level of log messages that its session wants. */
  setLevel?: (level: string) => Promise<void>
  /** Keeps which URIs its session is told of. */
  subscriptions?: { add(uri: string): Promise<void>; remove(uri: string): Promise<void> }
}
