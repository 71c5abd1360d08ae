/** The lifetimes of a new key that the form offers. */
export const LIFETIMES = ['30d', '90d', '180d', '365d', 'never'] as const
export type Lifetime = (typeof LIFETIMES)[number]

export const LIFETIME_TEXTS: Record<Lifetime, string> = {
  '30d': '30 days',
  '90d': '90 days',
  '180d': '180 days',
  '365d': '1 year',
  never: 'Never',
}

/** Returns a lifetime in days; undefined for a key that never expires. */
export const lifetimeDays = (lifetime: Lifetime): number | undefined =>
  lifetime === 'never' ? undefined : Number.parseInt(lifetime, 10)
