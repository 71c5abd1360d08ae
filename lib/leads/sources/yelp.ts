import { answersIn } from './answers'
import { type JsonObject, type LeadSource, valueAt } from './define'
import { formSource } from './form'

const ANNOUNCED =
  'Yelp sends only the id of a lead, without the customer. Have the tool that reads the lead from Yelp (a CRM, Zapier) post it here.'

const updatesOf = (body: JsonObject): unknown[] => {
  const updates = valueAt(body, 'data.updates')
  return Array.isArray(updates) ? updates : []
}

const form = formSource({
  name: 'yelp',
  title: 'Yelp',
  recognizes: (body) => updatesOf(body).length > 0 || 'temporary_email_address' in body || 'conversation_id' in body,
  leadSource: 'Yelp',
  always: true,
  paths: {
    fullName: ['user.display_name', 'user.name'],
    email: ['temporary_email_address', 'user.email'],
    phone: ['temporary_phone_number', 'user.phone_number'],
    zipCode: ['project.location.postal_code'],
    notes: ['project.additional_info'],
    externalId: ['lead_id', 'id'],
  },
  answers: (body) =>
    answersIn(body, ['attachments', 'business_id', 'conversation_id', 'temporary_email_address_expiry']),
})

/** The source Yelp: its Leads API's leads as tools forward them. Its own webhook only announces a lead. */
export const yelp: LeadSource = {
  ...form,
  read: (body) => {
    const draft = form.read(body)
    if (updatesOf(body).length > 0) draft.announces = ANNOUNCED
    return draft
  },
}
