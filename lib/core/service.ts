/** The service's name and the version it reports (specification 9.6). */
export const SERVICE = {
  name: 'Plumbline',
  description: 'Contractor business data for integrations and agents',
  version: '0.3.0',
  /** The release date of this version, where the build does not know a closer one. */
  released: '2026-11-21T00:00:00.000Z',
} as const

/** The client that the MCP console is: a page of ours, so it needs no registration. */
export const CONSOLE_CLIENT = 'plumbline-console'

/** The data API's status and the day it was last updated (specification 9.4). */
export const DATA_API = { status: 'public beta v1.0', updated: '2025-08-09' } as const

/** The administrator of the demonstration contractors; the domain is reserved for examples (RFC 2606). */
export const DEMO_ADMIN = 'admin@plumbline.example'
