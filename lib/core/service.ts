/** What the service is called and which version it reports (specification 9.6). */
export const SERVICE = {
  name: 'Plumbline',
  description: 'Contractor business data for integrations and agents',
  version: '0.3.0',
  /** The day this version was made, where nothing closer is known of a build. */
  released: '2026-11-21T00:00:00.000Z',
} as const

/** What the data API says of itself: its status and the day it was last updated (specification 9.4). */
export const DATA_API = { status: 'public beta v1.0', updated: '2025-08-09' } as const
