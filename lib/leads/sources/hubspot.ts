import { type JsonObject, type LeadSource, SEVERAL, valueAt } from './define'
import { formSource } from './form'

const ANNOUNCED =
  'This HubSpot event has only the id of a contact. Send the contact itself: a workflow with the action "Send a webhook", method POST.'

const form = formSource({
  name: 'hubspot',
  title: 'HubSpot',
  recognizes: (body) =>
    ('vid' in body && 'properties' in body) ||
    'subscriptionType' in body ||
    'hs_object_id' in body ||
    ('properties' in body && ('portal-id' in body || valueAt(body, 'properties.email') !== undefined)),
  leadSource: 'HubSpot',
  skip: [
    ...[
      'form-submissions',
      'identity-profiles',
      'list-memberships',
      'associated-company',
      'merge-audits',
      'merged-vids',
    ],
    ...['associated-owner', 'versions', 'canonical-vid', 'is-contact', 'propertiesWithHistory', 'associations'],
  ],
  paths: {
    externalId: ['vid', 'id', 'objectId', 'hs_object_id', 'properties.hs_object_id.value', 'properties.hs_object_id'],
  },
})

/** An event of an app, which HubSpot joins up to 100 of in a body. */
const isNotice = (body: JsonObject) => 'subscriptionType' in body && !('properties' in body)

/** The source HubSpot: contacts as its workflows send them. Its app webhooks only announce a change. */
export const hubspot: LeadSource = {
  ...form,
  most: SEVERAL,
  isNotice,
  read: (body) => {
    const draft = form.read(body)
    if (isNotice(body)) draft.announces = ANNOUNCED
    return draft
  },
}
