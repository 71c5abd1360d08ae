/** A person's roles for a contractor, highest first; each includes the ones after it. */
export const ROLES = ['admin', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text)

/** Reports whether a role includes another. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed)

/** The least role for what operations and queries both check, so that the two cannot differ. */
export const ROLE_FOR = {
  alerts: 'developer',
  explorerKey: 'developer',
  invitations: 'admin',
  webhooks: 'admin',
} as const

/** The roles that include this one, itself among them. Queries compare a member's role with them. */
export const rolesWith = (needed: Role): Role[] => ROLES.filter((role) => isAtLeast(role, needed))
