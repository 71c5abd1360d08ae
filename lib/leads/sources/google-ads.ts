import { addNotes, type Draft, type DraftField, type JsonObject, type LeadSource, set, textOf } from './define'

/** The names Google uses for columns of a lead form that map to our fields; the first of several with a value counts. */
const COLUMNS: Record<string, DraftField> = {
  FULL_NAME: 'fullName',
  FIRST_NAME: 'firstName',
  LAST_NAME: 'lastName',
  EMAIL: 'email',
  WORK_EMAIL: 'email',
  PHONE_NUMBER: 'phone',
  WORK_PHONE: 'phone',
  STREET_ADDRESS: 'address',
  CITY: 'city',
  REGION: 'state',
  POSTAL_CODE: 'zipCode',
}

function readColumn(draft: Draft, column: JsonObject): void {
  const [id = '', value] = [textOf(column.column_id), textOf(column.string_value)]
  const field = COLUMNS[id]
  if (field !== undefined && draft.values[field] === undefined) set(draft, field, value, `user_column_data ${id}`)
  else if (value !== undefined)
    addNotes(draft, [`${textOf(column.column_name) ?? id}: ${value}`], `user_column_data ${id}`)
}

/** The source Google Ads lead forms (developers.google.com/google-ads/webhook): answers in columns, including the advertiser's own questions. */
export const googleAds: LeadSource = {
  name: 'google-ads',
  title: 'Google Ads lead form',
  recognizes: (body) => Array.isArray(body.user_column_data),
  read: (body) => {
    const draft: Draft = { kind: body.is_test === true ? 'test' : 'lead', values: {}, from: {} }
    if (Array.isArray(body.user_column_data))
      for (const column of body.user_column_data) readColumn(draft, Object(column))
    set(draft, 'externalId', textOf(body.lead_id), 'lead_id')
    set(draft, 'leadSource', 'Google Ads', 'the address it was posted to')
    return draft
  },
  secret: (body) => textOf(body.google_key),
}
