import { RESOURCE_NAMES, type ResourceScope, scopeOf } from '@/lib/core/resource-names'

/** What a key may do. The specification names `write:leads`; the others follow its form. */
export const SCOPES = [
  ...RESOURCE_NAMES.map(scopeOf),
  'read:materials',
  'read:permits',
  'read:documents',
  'write:leads',
  'write:notes',
  'write:tasks',
  'write:webhooks',
  'write:data',
] as const
export type Scope = (typeof SCOPES)[number]

/** What each scope allows, as shown to the person who creates a key. Resources define their own (lib/resources). */
export const OWN_SCOPE_TEXTS: Record<Exclude<Scope, ResourceScope>, string> = {
  'read:materials': 'Read the price book, and calculate material quantities',
  'read:permits': 'Read permits, and rules about them',
  'read:documents': 'Search documents',
  'write:leads': 'Send leads, each of which becomes a project; reads nothing',
  'write:notes': 'Add notes to projects; people can undo each one',
  'write:tasks': 'Set the day to follow up on a lead; people can undo each one',
  'write:webhooks': 'Create and manage webhooks for the records it may read',
  'write:data': 'Load CSV files, and delete what complete ones no longer have',
}

/** What no preset holds: each is granted by itself, alone or beside a preset. */
export const SINGLE_SCOPES = [
  'write:notes',
  'write:tasks',
  'write:webhooks',
  'write:data',
] as const satisfies readonly Scope[]

/** What reads; everyone on a team may. */
export const READS: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('read:'))

/** What writes; only administrators may, and may let a program, each by itself. */
export const WRITES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('write:'))

/** Ready-made sets of scopes for the three kinds of client. */
export const PRESETS = {
  integration: {
    title: 'Integration',
    text: 'Software that syncs over the data API. Reads everything.',
    scopes: READS,
  },
  'lead-source': {
    title: 'Lead source',
    text: 'A form or advertiser that posts to the lead webhook. Sends leads, reads nothing.',
    scopes: ['write:leads'],
  },
  'lead-url': {
    title: 'Secret URL',
    text: 'A lead sender that can set no header: the key is part of its URL. Sends leads, and works nowhere else.',
    scopes: ['write:leads'],
  },
  agent: { title: 'Agent', text: 'An assistant that calls tools over MCP. Reads everything.', scopes: READS },
} as const satisfies Record<string, { title: string; text: string; scopes: readonly Scope[] }>
export type Preset = keyof typeof PRESETS

/** The preset of keys that work only as part of a lead sender's URL; no other key works there. */
export const URL_PRESET: Preset = 'lead-url'

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
/** Whether a scope is one of those that no preset holds. */
export const isSingle = (scope: Scope): boolean => SINGLE_SCOPES.some((single) => single === scope)
export const isPreset = (text: string): text is Preset => text in PRESETS
