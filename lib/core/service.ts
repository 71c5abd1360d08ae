/** What the service is called and which version it reports (specification 9.6). */
export const SERVICE = {
  name: 'Plumbline',
  description: 'Contractor business data for integrations and agents',
  version: '0.3.0',
} as const
