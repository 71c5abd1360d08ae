// @hey-api/openapi-ts with its client for fetch.
import {
  createLead,
  getInvoice,
  getProject,
  type Invoice,
  listCustomers,
  listEstimates,
  listInvoices,
  listPayments,
  listProjects,
} from '../generated/hey-api'
import { createClient } from '../generated/hey-api/client'
import { leadOf, type Place, type Report } from './report'

export async function readAll({ api, key, leadKey, lead }: Place): Promise<Report> {
  const client = createClient({ baseUrl: api, auth: () => key })
  const customers = await listCustomers({ client, query: { limit: 3 } })
  const projects = await listProjects({ client, query: { status: 'completed' } })
  const invoices = await listInvoices({ client, query: { status: 'paid', from: '2024-01-01', limit: 20 } })
  const payments = await listPayments({ client, query: { updatedAfter: '2020-01-01T00:00:00Z' } })
  const estimates = await listEstimates({ client, query: { status: 'accepted' } })

  const first: Invoice[] = invoices.data?.items ?? []
  const pageToken = invoices.data?.nextPageToken ?? ''
  const next = await listInvoices({ client, query: { status: 'paid', from: '2024-01-01', limit: 20, pageToken } })
  const one = await getInvoice({ client, path: { id: first[0]?.id ?? '' } })
  const missing = await getProject({ client, path: { id: 'prj_none' } })
  const refused = await listCustomers({ client: createClient({ baseUrl: api, auth: 'wrong' }) })

  // The webhook has a server of its own.
  const leads = createClient({ baseUrl: new URL(api).origin, auth: () => leadKey })
  const send = () => createLead({ client: leads, body: leadOf(lead) })
  const [sent, again] = [await send(), await send()]
  return {
    counts: [customers, projects, invoices, payments, estimates].map(({ data }) => data?.items.length),
    next: {
      items: next.data?.items.length,
      others: next.data?.items.every(({ id }) => first.every((each) => each.id !== id)) === true,
    },
    same: one.data?.number === first[0]?.number,
    codes: [missing.error?.code, refused.error?.code],
    leads: [sent, again].map(({ response, data }) => ({ status: response?.status ?? 0, success: data?.success })),
  }
}
