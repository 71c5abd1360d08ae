import { RESOURCE_NAMES, type ResourceScope, scopeOf } from '@/lib/core/resource-names'

/** The scopes that a key may have. The specification names `write:leads`; the others follow its form. */
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

/** The text for what each scope allows, as shown to the person who creates a key. Resources define their own (lib/resources). */
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

/** The scopes that no preset holds: each is granted by itself, alone or beside a preset. */
export const SINGLE_SCOPES = [
  'write:notes',
  'write:tasks',
  'write:webhooks',
  'write:data',
] as const satisfies readonly Scope[]

/** The scopes that read; everyone on a team may. */
export const READS: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('read:'))

/** The scopes of notes and follow-ups: they stand beside the books, with their author, and can be undone. Everyone on a team has them. */
export const ENTRY_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['write:notes', 'write:tasks'])

/** The scopes that write; whoever has one may let a program, each by itself. Only administrators have those beyond notes and follow-ups. */
export const WRITES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('write:'))

/** Sets of scopes, ready-made for the three kinds of client. */
export const PRESETS = {
  integration: {
    title: 'Read only',
    text: 'Software that syncs over the data API: accounting, CRM, field service, reports. Reads everything, changes nothing.',
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
  agent: {
    title: 'Assistant',
    text: 'An assistant that calls tools over MCP. Reads everything, and writes only what you allow.',
    scopes: READS,
  },
} as const satisfies Record<string, { title: string; text: string; scopes: readonly Scope[] }>
export type Preset = keyof typeof PRESETS

/** The preset of keys that work only as part of a lead sender's URL; no other key works there. */
export const URL_PRESET: Preset = 'lead-url'

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
/** Reports whether a scope is one of those that no preset holds. */
export const isSingle = (scope: Scope): boolean => SINGLE_SCOPES.some((single) => single === scope)
export const isPreset = (text: string): text is Preset => text in PRESETS
