import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { SCOPES, type Scope } from './scopes'

/** A person's roles for a contractor, highest first; each includes the ones after it. */
export const ROLES = ['admin', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Each role's name and description. */
export const ROLE_TEXTS: Record<Role, { title: string; text: string }> = {
  admin: { title: 'Administrator', text: 'Keys, team, loading data, replaying leads; and everything below.' },
  developer: { title: 'Developer', text: 'Explorer, request log, usage, lead deliveries; and the data.' },
  viewer: { title: 'Viewer', text: `Reads ${RESOURCES_IN_WORDS}.` },
}

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text)

/** Whether a role includes another. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed)

/** The scopes of a person: everyone reads, administrators also write. */
export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(SCOPES.filter((scope) => role === 'admin' || scope.startsWith('read:')))
