import { addNotes, answersOf, draftFrom, type JsonObject, type LeadSource, set, textOf, valueAt } from './define'

const isOfAds = (body: JsonObject) => 'CorrelationId' in body || 'ALAccountId' in body

/** Reads what Angi Leads posts (HomeAdvisor's former format): flat, with the answers of its interview. */
function readLeads(body: JsonObject) {
  const draft = draftFrom(body, {
    firstName: ['firstName'],
    lastName: ['lastName'],
    fullName: ['name'],
    email: ['email'],
    phone: ['primaryPhone', 'secondaryPhone'],
    address: ['address'],
    city: ['city'],
    state: ['stateProvince', 'state'],
    zipCode: ['postalCode', 'zip'],
    service: ['taskName'],
    notes: ['comments'],
    externalId: ['leadOid', 'srOid'],
  })
  addNotes(draft, answersOf(body.interview), 'interview')
  const [first, second] = [textOf(body.primaryPhone), textOf(body.secondaryPhone)]
  if (first && second) addNotes(draft, [`Second phone: ${second}`], 'secondaryPhone')
  const extension = textOf(body.phoneExt)
  if (extension) addNotes(draft, [`Phone extension: ${extension}`], 'phoneExt')
  return draft
}

/** Reads what Angi Ads posts: capitalized names, with the address in its own object. */
function readAds(body: JsonObject) {
  const draft = draftFrom(body, {
    firstName: ['FirstName'],
    lastName: ['LastName'],
    email: ['Email'],
    phone: ['PhoneNumber'],
    city: ['PostalAddress.City'],
    state: ['PostalAddress.State'],
    zipCode: ['PostalAddress.PostalCode'],
    service: ['Category'],
    notes: ['Description'],
    externalId: ['CorrelationId'],
  })
  const lines = ['AddressFirstLine', 'AddressSecondLine'].map((line) => textOf(valueAt(body, `PostalAddress.${line}`)))
  set(draft, 'address', lines.filter(Boolean).join(', ') || undefined, 'PostalAddress.AddressFirstLine')
  const urgency = textOf(body.Urgency)
  if (urgency) addNotes(draft, [`Urgency: ${urgency}`], 'Urgency')
  return draft
}

/** The source Angi (Angie's List and HomeAdvisor), in both formats it posts. */
export const angi: LeadSource = {
  name: 'angi',
  title: 'Angi',
  recognizes: (body) => isOfAds(body) || 'leadOid' in body || 'srOid' in body || 'spEntityId' in body,
  read: (body) => {
    const draft = isOfAds(body) ? readAds(body) : readLeads(body)
    set(draft, 'leadSource', 'Angi', 'the address it was posted to')
    return draft
  },
}

/** The source HomeAdvisor, whose leads have Angi's form; it has its own name and category. */
export const homeadvisor: LeadSource = {
  ...angi,
  name: 'homeadvisor',
  title: 'HomeAdvisor',
  recognizes: () => false,
  read: (body) => {
    const draft = angi.read(body)
    set(draft, 'leadSource', 'HomeAdvisor', 'the address it was posted to')
    return draft
  },
}
