/** What passes between the process that starts the workers and the workers themselves. */
export type Message =
  /** A worker answers requests now. */
  | { plumbline: 'ready' }
  /** A worker wants what all of them have; the other process asks each, and hands over what they tell. */
  | { plumbline: 'gather'; id: number }
  | { plumbline: 'tell'; id: number }
  | { plumbline: 'told'; id: number; value: unknown }
  | { plumbline: 'gathered'; id: number; values: unknown[] }

/** Whether a message is one of ours; a process may have others, from Node and from libraries. */
export const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'plumbline' in message

/** Sends to the process that started this one; nothing happens in a process that stands alone. */
export const sendUp = (message: Message): void => void process.send?.(message)
