import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import type { Role } from '@/lib/core/roles'
import { SCOPES, type Scope } from './scopes'

/** Each role's name and description. */
export const ROLE_TEXTS: Record<Role, { title: string; text: string }> = {
  admin: {
    title: 'Administrator',
    text: 'Manages keys and the team, loads data, replays leads, and can do everything below.',
  },
  developer: {
    title: 'Developer',
    text: 'Uses the explorer, request log, usage and lead deliveries, and reads the data.',
  },
  viewer: { title: 'Viewer', text: `Reads ${RESOURCES_IN_WORDS}.` },
}

/** The scopes of a person: everyone reads, administrators also write. */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => role === 'admin' || scope.startsWith('read:')))
