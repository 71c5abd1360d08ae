import type { LeadRow } from '@/db/queries/leads'
import { newId, newRecordId } from '@/lib/core/ids'
import { customers } from '@/lib/resources/customers'
import { projects } from '@/lib/resources/projects'

/** A lead of Ana, who left neither a contact nor an address, with ids of its own; `dedupe_key` says which lead it is. */
export const leadRow = (given: Partial<LeadRow> & Pick<LeadRow, 'dedupe_key'>): LeadRow => ({
  delivery_id: newId('delivery'),
  key_id: null,
  request_id: 'req_test',
  source: 'inbound',
  received_at: '2026-02-03T04:05:06.000Z',
  content_type: 'application/json',
  bytes: 2,
  body: '{}',
  created_status: 201,
  mapping: '{}',
  replay_of: null,
  lead_name: 'Ana',
  lead_phone: undefined,
  lead_email: undefined,
  person_key: undefined,
  body_key: undefined,
  external_id: undefined,
  new_project: newRecordId(projects.idPrefix),
  new_customer: newRecordId(customers.idPrefix),
  project_name: 'Inquiry – Ana',
  customer_name: 'Ana',
  first_name: 'Ana',
  last_name: '',
  email: undefined,
  phone: undefined,
  phone_raw: undefined,
  address: undefined,
  city: undefined,
  state: undefined,
  zip: undefined,
  notes: undefined,
  lead_source: undefined,
  source_keyword: undefined,
  source_category: 'other',
  ...given,
})
