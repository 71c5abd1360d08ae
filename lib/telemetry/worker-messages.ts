/** Messages between the primary process and its workers. */
export type Message =
  /** A worker answers requests now. */
  | { plumbline: 'ready' }
  /** A worker gathers values: the primary process asks each worker and passes on their answers. */
  | { plumbline: 'gather'; id: number }
  | { plumbline: 'tell'; id: number }
  | { plumbline: 'told'; id: number; value: unknown }
  | { plumbline: 'gathered'; id: number; values: unknown[] }

/** Reports whether a message is ours; Node and libraries send others. */
export const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'plumbline' in message

/** Sends a message to the primary process; does nothing in a process without one. */
export const sendUp = (message: Message): void => void process.send?.(message)
