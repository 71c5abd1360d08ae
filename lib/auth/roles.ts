import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import type { Role } from '@/lib/core/roles'
import { ENTRY_SCOPES, SCOPES, type Scope } from './scopes'

/** The name and description of each role. */
export const ROLE_TEXTS: Record<Role, { title: string; text: string }> = {
  admin: {
    title: 'Administrator',
    text: 'Manages keys and the team, loads data, replays leads, and can do everything below.',
  },
  developer: {
    title: 'Developer',
    text: 'Uses the explorer, request log, usage and lead deliveries, and reads the data.',
  },
  viewer: {
    title: 'Viewer',
    text: `Reads ${RESOURCES_IN_WORDS}, leads and reports; writes notes and follow-ups, under their name.`,
  },
}

/** The scopes of a person: everyone reads, and writes what stands beside the books under their name; administrators write all. */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => role === 'admin' || scope.startsWith('read:') || ENTRY_SCOPES.has(scope)))
