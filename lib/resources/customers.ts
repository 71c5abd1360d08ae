import * as z from 'zod'
import { users } from '@/db/schema'
import { addressColumns, CREATED, CUSTOMER_HEADERS } from './csv'
import { ADDRESS_DETAILS, defineResource, SOURCE_REFERENCE } from './define'
import { Instant } from './fields'

/** Home-owners with at least one project of the contractor. */
export const customers = defineResource({
  name: 'customers',
  singular: 'customer',
  idPrefix: 'cus',
  scopeText: 'Read customers with their contact details',
  table: users,
  only: 'owns_project',
  output: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().optional(),
    phone: z.string().optional().describe('E.164'),
    createdAt: Instant.optional(),
    updatedAt: Instant.optional(),
  }),
  columns: {
    id: users.id,
    name: users.name,
    email: users.email,
    phone: users.phone,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  },
  filters: {},
  sorts: {},
  details: {
    sourceReference: SOURCE_REFERENCE,
    phoneRaw: { schema: z.string().describe('The phone number as it was written'), sql: 'phone_raw', kind: 'text' },
    ...ADDRESS_DETAILS,
  },
  links: [],
  dated: users.createdAt,
  tool: {
    category: 'customers',
    description:
      'The people this contractor works for. For one of them by name use find_records, with their projects get_record.',
    untrusted: ['name', 'email'],
  },
  csv: {
    file: 'customers.csv',
    columns: [
      { field: 'reference', headers: CUSTOMER_HEADERS, required: true, cell: 'reference' },
      {
        field: 'name',
        headers: ['Name', 'Customer Name', 'Full Name'],
        required: true,
        cell: { text: 300 },
        column: users.name,
      },
      { field: 'email', headers: ['Email', 'E-mail Address'], cell: 'email', column: users.email },
      { field: 'phone', headers: ['Phone', 'Phone Number', 'Mobile'], cell: 'phone', column: users.phoneRaw },
      ...addressColumns(users),
      CREATED,
    ],
  },
  madeByLeads: true,
  pagesWithoutTokens: false,
  example: {
    id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    name: 'Dana Whitfield',
    email: 'dana.whitfield@example.com',
    phone: '+16155550142',
    createdAt: '2025-03-04T00:00:00.000Z',
    updatedAt: '2026-10-12T15:04:05.123Z',
  },
})
