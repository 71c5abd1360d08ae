// openapi-typescript with its client, openapi-fetch.
import createClient from 'openapi-fetch'
import type { components, paths } from '../generated/openapi-typescript'
import { leadOf, type Place, type Report } from './report'

export async function readAll({ api, key, leadKey, lead }: Place): Promise<Report> {
  const client = createClient<paths>({ baseUrl: api, headers: { 'x-api-key': key } })
  const customers = await client.GET('/customers', { params: { query: { limit: 3 } } })
  const projects = await client.GET('/projects', { params: { query: { status: 'completed' } } })
  const invoices = await client.GET('/invoices', { params: { query: { status: 'paid', from: '2024-01-01', limit: 20 } } })
  const payments = await client.GET('/payments', { params: { query: { updatedAfter: '2020-01-01T00:00:00Z' } } })
  const estimates = await client.GET('/estimates', { params: { query: { status: 'accepted' } } })

  const first: components['schemas']['Invoice'][] = invoices.data?.items ?? []
  const pageToken = invoices.data?.nextPageToken ?? ''
  const query = { status: 'paid', from: '2024-01-01', limit: 20, pageToken } as const
  const next = await client.GET('/invoices', { params: { query } })
  const one = await client.GET('/invoices/{id}', { params: { path: { id: first[0]?.id ?? '' } } })
  const missing = await client.GET('/projects/{id}', { params: { path: { id: 'prj_none' } } })
  const refused = await client.GET('/customers', { headers: { 'x-api-key': 'wrong' } })

  // The webhook has a server of its own, which openapi-fetch takes from the call.
  const send = () =>
    client.POST('/api/webhooks/leads/inbound', {
      baseUrl: new URL(api).origin,
      headers: { 'x-api-key': leadKey },
      body: leadOf(lead),
    })
  const [sent, again] = [await send(), await send()]
  return {
    counts: [customers, projects, invoices, payments, estimates].map(({ data }) => data?.items.length),
    next: {
      items: next.data?.items.length,
      others: next.data?.items.every(({ id }) => first.every((each) => each.id !== id)) === true,
    },
    same: one.data?.number === first[0]?.number,
    codes: [missing.error?.code, refused.error?.code],
    leads: [sent, again].map(({ response, data }) => ({ status: response.status, success: data?.success })),
  }
}
