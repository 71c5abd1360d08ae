/** What a key may do. The specification names `write:leads`; the others follow its form. */
export const SCOPES = [
  'read:customers',
  'read:projects',
  'read:invoices',
  'read:payments',
  'read:materials',
  'read:permits',
  'read:documents',
  'write:leads',
] as const
export type Scope = (typeof SCOPES)[number]

const READS = SCOPES.filter((scope) => scope.startsWith('read:'))

/** Ready-made sets of scopes for the three kinds of client. */
export const PRESETS = {
  integration: { title: 'Integration', scopes: READS },
  'lead-source': { title: 'Lead source', scopes: ['write:leads'] },
  agent: { title: 'Agent', scopes: READS },
} as const satisfies Record<string, { title: string; scopes: readonly Scope[] }>
export type Preset = keyof typeof PRESETS

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
export const isPreset = (text: string): text is Preset => text in PRESETS
