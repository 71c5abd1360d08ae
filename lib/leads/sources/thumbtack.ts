import { addNotes, answersOf, draftFrom, type JsonObject, type LeadSource, set, textOf, valueAt } from './define'

/** The name of the business that Thumbtack's test of a webhook uses. */
const TRIAL_BUSINESS = 'Test Business for Webhooks'

/** Reports whether the body is under `data`, next to the event type, as since version 4. */
const isWrapped = (body: JsonObject) => typeof body.data === 'object' && typeof body.event === 'object'

function times(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(({ start, end }: JsonObject) =>
    textOf(start) ? [`Proposed time: ${start} to ${end ?? '?'}`] : [],
  )
}

/** The source Thumbtack: new negotiations (version 4), and the flat leads of earlier versions. Other events make no project. */
export const thumbtack: LeadSource = {
  name: 'thumbtack',
  title: 'Thumbtack',
  relays: true,
  recognizes: (body) =>
    /V\d+$/.test(textOf(valueAt(body, 'event.eventType')) ?? '') ||
    valueAt(body, 'request.requestID') !== undefined ||
    'leadID' in body,
  read: (body) => {
    const base = isWrapped(body) ? 'data.' : ''
    const at = (...paths: string[]) => paths.map((path) => base + path)
    const draft = draftFrom(body, {
      firstName: at('customer.firstName'),
      lastName: at('customer.lastName'),
      fullName: at('customer.name', 'customer.displayName'),
      email: at('customer.email'),
      phone: at('customer.phone'),
      city: at('request.location.city'),
      state: at('request.location.state'),
      zipCode: at('request.location.zipCode'),
      service: at('request.category.name', 'request.category', 'request.title'),
      notes: at('request.description'),
      externalId: at('negotiationID', 'leadID'),
    })
    const lines = at('request.location.address1', 'request.location.address2').map((path) =>
      textOf(valueAt(body, path)),
    )
    set(draft, 'address', lines.filter(Boolean).join(', ') || undefined, `${base}request.location.address1`)
    addNotes(draft, answersOf(valueAt(body, `${base}request.details`)), `${base}request.details`)
    addNotes(draft, [textOf(valueAt(body, `${base}request.schedule`))], `${base}request.schedule`)
    addNotes(draft, times(valueAt(body, `${base}request.proposedTimes`)), `${base}request.proposedTimes`)
    set(draft, 'leadSource', 'Thumbtack', 'the address it was posted to')
    const event = textOf(valueAt(body, 'event.eventType'))
    if (event !== undefined && !event.startsWith('NegotiationCreated')) draft.kind = 'ignored'
    if (textOf(valueAt(body, `${base}business.name`)) === TRIAL_BUSINESS) draft.kind = 'test'
    return draft
  },
}
