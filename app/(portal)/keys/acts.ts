/** The actions on a key. */
export type Asked = 'rotate' | 'change' | 'revoke'

export const TITLES: Record<Asked, string> = { rotate: 'Rotate', change: 'Edit', revoke: 'Revoke' }
