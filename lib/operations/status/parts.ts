/** The checked parts, in the order they are shown, with what each check asks. */
export const PARTS = {
  service: { name: 'API, MCP server and portal', asks: 'The process answers and can serve requests' },
  database: { name: 'Database', asks: 'It answers within 150 ms' },
  limits: { name: 'Rate limits', asks: 'Requests are counted where they should be' },
  disk: { name: 'Storage', asks: 'There is room to write' },
} as const

/** The number of days checks are kept and shown. */
export const STATUS_DAYS = 90
