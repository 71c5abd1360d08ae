// orval with fetch.
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
} from '../generated/orval'
import { leadOf, type Place, type Report } from './report'

const itemsOf = <T>(answer: { status: 200; data: { items: T[] } } | { status: number; data: unknown }): T[] | undefined =>
  answer.status === 200 ? (answer as { data: { items: T[] } }).data.items : undefined

export async function readAll({ key, leadKey, lead }: Place): Promise<Report> {
  const headers = { 'x-api-key': key }
  const query = { status: 'paid', from: '2024-01-01', limit: 20 }
  const customers = await listCustomers({ limit: 3 }, { headers })
  const projects = await listProjects({ status: 'completed' }, { headers })
  const invoices = await listInvoices(query, { headers })
  const payments = await listPayments({ updatedAfter: '2020-01-01T00:00:00Z' }, { headers })
  const estimates = await listEstimates({ status: 'accepted' }, { headers })

  const first: Invoice[] = invoices.status === 200 ? invoices.data.items : []
  const pageToken = (invoices.status === 200 && invoices.data.nextPageToken) || ''
  const next = await listInvoices({ ...query, pageToken }, { headers })
  const one = await getInvoice(first[0]?.id ?? '', {}, { headers })
  const missing = await getProject('prj_none', {}, { headers })
  const refused = await listCustomers({}, { headers: { 'x-api-key': 'wrong' } })

  const send = () => createLead(leadOf(lead), { headers: { 'x-api-key': leadKey } })
  const [sent, again] = [await send(), await send()]
  const second = next.status === 200 ? next.data.items : []
  return {
    counts: [customers, projects, invoices, payments, estimates].map((answer) => itemsOf<unknown>(answer)?.length),
    next: {
      items: second.length,
      others: second.every(({ id }) => first.every((each) => each.id !== id)),
    },
    same: one.status === 200 && one.data.number === first[0]?.number,
    codes: [
      missing.status === 404 ? missing.data.code : undefined,
      refused.status === 401 ? refused.data.code : undefined,
    ],
    leads: [sent, again].map(({ status, data }) => ({ status, success: 'success' in data ? data.success : undefined })),
  }
}
