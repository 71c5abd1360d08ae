/** The actions on a key. */
export type KeyAction = 'rotate' | 'change' | 'revoke'

export const TITLES: Record<KeyAction, string> = { rotate: 'Rotate', change: 'Edit', revoke: 'Revoke' }
