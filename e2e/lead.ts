/** The lead webhook in the specification. */
export const INBOUND = '/api/webhooks/leads/inbound'
/** Settings with limits too high to matter. */
export const UNLIMITED = { RATE_LIMIT_LEADS: '1000000', RATE_LIMIT_DATA_API: '1000000' }
/** A valid lead. */
export const ANA = { firstName: 'Ana', lastName: 'López', email: 'ana@example.com', notes: 'Roof 🏠' }

/** Counts responses by status. */
export function countStatuses(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Posts a lead as a sender does. */
export async function post(
  url: string,
  key: string,
  body: unknown,
  path = INBOUND,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { 'x-api-key': key }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
