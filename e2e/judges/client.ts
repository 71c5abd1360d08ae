// A client generated from the document, as an integration developer would use it. It must compile and read all lists.
import createClient from 'openapi-fetch'
import type { components, paths } from './generated'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })

const customers = await client.GET('/customers', { params: { query: { limit: 3 } } })
const projects = await client.GET('/projects', { params: { query: { status: 'completed' } } })
const invoices = await client.GET('/invoices', { params: { query: { status: 'paid', from: '2024-01-01' } } })
const payments = await client.GET('/payments', { params: { query: { updatedAfter: '2020-01-01T00:00:00Z' } } })

const estimates = await client.GET('/estimates', { params: { query: { status: 'accepted' } } })

const invoice: components['schemas']['Invoice'] | undefined = invoices.data?.items[0]
const one = await client.GET('/invoices/{id}', { params: { path: { id: invoice?.id ?? '' } } })
const same: boolean = one.data?.number === invoice?.number
const refused = await client.GET('/projects/{id}', { params: { path: { id: 'prj_none' } } })
const why: string | undefined = refused.error?.code

const counts = [customers, projects, invoices, payments, estimates].map(({ data }) => data?.items.length ?? -1)
console.log(JSON.stringify({ counts, same, why }))
