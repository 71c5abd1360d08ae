/** How long a new key may live, as the form offers it. */
export const LIFETIMES = ['30d', '90d', '180d', '365d', 'never'] as const
export type Lifetime = (typeof LIFETIMES)[number]

export const LIFETIME_TEXTS: Record<Lifetime, string> = {
  '30d': '30 days',
  '90d': '90 days',
  '180d': '180 days',
  '365d': '1 year',
  never: 'Never',
}

/** Whole days; undefined for a key without an end. */
export const lifetimeDays = (lifetime: Lifetime): number | undefined =>
  lifetime === 'never' ? undefined : Number.parseInt(lifetime, 10)
