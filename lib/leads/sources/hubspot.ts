import { type LeadSource, valueAt } from './define'
import { formSource } from './form'

const ANNOUNCED =
  'This HubSpot event has only the id of a contact. Send the contact itself: a workflow with the action "Send a webhook", method POST.'

const form = formSource({
  name: 'hubspot',
  title: 'HubSpot',
  recognizes: (body) =>
    ('vid' in body && 'properties' in body) ||
    'subscriptionType' in body ||
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
  paths: { externalId: ['vid', 'id', 'objectId'] },
})

/** HubSpot: contacts as its workflows send them. Its app webhooks only announce a change. */
export const hubspot: LeadSource = {
  ...form,
  read: (body) => {
    const draft = form.read(body)
    if ('subscriptionType' in body && !('properties' in body)) draft.announces = ANNOUNCED
    return draft
  },
}
