import {
  addNotes,
  type Draft,
  type DraftField,
  fieldEntries,
  type JsonObject,
  type LeadSource,
  set,
  textOf,
} from './define'

/** Names people give to form fields, in lower case, letters and digits only. */
const NAMES: Record<DraftField, string[]> = {
  firstName: ['firstname', 'first', 'fname', 'givenname', 'contactfirstname', 'customerfirstname'],
  lastName: ['lastname', 'last', 'lname', 'surname', 'familyname', 'contactlastname', 'customerlastname'],
  fullName: ['fullname', 'name', 'yourname', 'contactname', 'customername', 'contact', 'customer', 'clientname'],
  email: ['email', 'emailaddress', 'youremail', 'mail', 'contactemail', 'customeremail', 'workemail'],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilephone',
    'mobilenumber',
    'cell',
    'cellphone',
    'tel',
    'telephone',
    'yourphone',
    'contactphone',
    'customerphone',
    'primaryphone',
    'workphone',
  ],
  address: [
    'address',
    'street',
    'streetaddress',
    'address1',
    'addressline1',
    'street1',
    'serviceaddress',
    'projectaddress',
  ],
  city: ['city', 'town', 'addresscity'],
  state: ['state', 'region', 'province', 'stateprovince', 'addressstate'],
  zipCode: ['zip', 'zipcode', 'postalcode', 'postcode', 'postal', 'zippostalcode', 'addresszip'],
  leadSource: [
    'leadsource',
    'source',
    'utmsource',
    'platform',
    'channel',
    'referrer',
    'howdidyouhearaboutus',
    'howdidyouhear',
  ],
  notes: [
    'notes',
    'note',
    'message',
    'comments',
    'comment',
    'yourmessage',
    'description',
    'details',
    'projectdetails',
    'projectdescription',
    'question',
    'questions',
    'howcanwehelp',
  ],
  externalId: ['externalid', 'leadid', 'id', 'leadgenid', 'submissionid', 'entryid', 'responseid', 'eventid', 'uuid'],
  service: [
    'service',
    'servicetype',
    'projecttype',
    'servicerequested',
    'jobtype',
    'worktype',
    'category',
    'serviceneeded',
  ],
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Facebook's test of a lead form fills every field with such a text. */
const isTrial = (body: JsonObject) => Object.values(body).some((value) => /^<test lead:/i.test(textOf(value) ?? ''))

function secondAddressLine(draft: Draft, byName: Map<string, [name: string, text: string]>): void {
  const [name, text] =
    ['address2', 'addressline2', 'street2', 'unit', 'apartment'].map((line) => byName.get(line)).find(Boolean) ?? []
  if (name === undefined || text === undefined || draft.values.address === undefined) return
  set(draft, 'address', `${draft.values.address}, ${text}`, `${draft.from.address}, ${name}`)
}

/**
 * Flat bodies with any field names: what Zapier and similar services send for Facebook, Instagram, Nextdoor and website forms. A
 * field is matched without case, spaces and punctuation.
 */
export const zapier: LeadSource = {
  name: 'zapier',
  title: 'Zapier and any flat form',
  recognizes: (body) => {
    const names = new Set(Object.keys(body).map(plain))
    const has = (...fields: DraftField[]) => fields.some((field) => NAMES[field].some((name) => names.has(name)))
    return has('email', 'phone') && has('fullName', 'firstName')
  },
  read: (body) => {
    const byName = new Map<string, [name: string, text: string]>()
    for (const [name, value] of Object.entries(body)) {
      const text = textOf(value)
      if (text !== undefined && !byName.has(plain(name))) byName.set(plain(name), [name, text])
    }
    const draft: Draft = { kind: isTrial(body) ? 'test' : 'lead', values: {}, from: {} }
    for (const [field, names] of fieldEntries(NAMES)) {
      const found = names.map((name) => byName.get(name)).filter((entry) => entry !== undefined)
      if (found[0]) set(draft, field, found[0][1], found[0][0])
      // Several messages are all kept; of several phones the first counts.
      if (field === 'notes') for (const [name, text] of found.slice(1)) addNotes(draft, [text], name)
    }
    secondAddressLine(draft, byName)
    return draft
  },
}
