import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { SCOPES, type Scope } from './scopes'

/** What a person may do for a contractor, the most first; each may do what those after it may. */
export const ROLES = ['admin', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Each role's name and description. */
export const ROLE_TEXTS: Record<Role, { title: string; text: string }> = {
  admin: { title: 'Administrator', text: 'Keys, team, loading data, replaying leads; and everything below.' },
  developer: { title: 'Developer', text: 'Explorer, request log, usage, lead deliveries; and the data.' },
  viewer: { title: 'Viewer', text: `Reads ${RESOURCES_IN_WORDS}.` },
}

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text)

/** Whether a role is enough where another is asked for. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed)

/** The scopes a person reads with: everyone reads, who administers also writes. */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => role === 'admin' || scope.startsWith('read:')))
