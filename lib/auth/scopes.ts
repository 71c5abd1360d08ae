import { RESOURCE_NAMES, type ResourceScope, scopeOf } from '@/lib/core/resource-names'

/** What a key may do. The specification names `write:leads`; the others follow its form. */
export const SCOPES = [
  ...RESOURCE_NAMES.map(scopeOf),
  'read:materials',
  'read:permits',
  'read:documents',
  'write:leads',
] as const
export type Scope = (typeof SCOPES)[number]

/** What each scope allows, as shown to the person who creates a key. Resources define their own (lib/resources). */
export const OWN_SCOPE_TEXTS: Record<Exclude<Scope, ResourceScope>, string> = {
  'read:materials': 'Read the price book, and work out quantities of materials',
  'read:permits': 'Read permits, and rules about them',
  'read:documents': 'Search documents',
  'write:leads': 'Send leads, each of which becomes a project; reads nothing',
}

const READS = SCOPES.filter((scope) => scope.startsWith('read:'))

/** Ready-made sets of scopes for the three kinds of client. */
export const PRESETS = {
  integration: {
    title: 'Integration',
    text: 'Software that stays in step over the data API: reads everything.',
    scopes: READS,
  },
  'lead-source': {
    title: 'Lead source',
    text: 'A form or an advertiser that posts to the lead webhook: sends leads and reads nothing.',
    scopes: ['write:leads'],
  },
  agent: { title: 'Agent', text: 'An assistant that calls tools over MCP: reads everything.', scopes: READS },
} as const satisfies Record<string, { title: string; text: string; scopes: readonly Scope[] }>
export type Preset = keyof typeof PRESETS

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
export const isPreset = (text: string): text is Preset => text in PRESETS
