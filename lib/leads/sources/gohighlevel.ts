import type { LeadSource } from './define'
import { formSource } from './form'

/** The source GoHighLevel: contacts as its workflows send them, and its `ContactCreate` event. `location` is the contractor's own account. */
export const gohighlevel: LeadSource = formSource({
  name: 'gohighlevel',
  title: 'GoHighLevel',
  recognizes: (body) =>
    ('contact_id' in body && 'location' in body) || ('locationId' in body && /^Contact/.test(String(body.type))),
  leadSource: 'GoHighLevel',
  skip: [
    ...[
      'location',
      'workflow',
      'user',
      'triggerData',
      'attributionSource',
      'lastAttributionSource',
      'contact',
      'calendar',
    ],
    ...[
      'owner',
      'assignedTo',
      'dnd',
      'dndSettings',
      'pipeline_stage',
      'pipleline_stage',
      'pipeline_name',
      'opportunity_name',
    ],
  ],
  paths: {
    address: ['address1', 'full_address'],
    leadSource: ['contact_source', 'source', 'opportunity_source'],
    externalId: ['contact_id', 'id'],
  },
})
