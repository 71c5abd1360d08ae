import { type LeadSource, set, textOf } from './define'
import { formSource } from './form'

/** The contractor's own numbers and people, and how the call went. */
const OWN = [
  ...[
    'business_phone_number',
    'tracking_phone_number',
    'destination_number',
    'trackingnum',
    'destinationnum',
    'trackingnumber',
  ],
  ...['formatted_customer_phone_number', 'formatted_business_phone_number', 'formatted_tracking_phone_number'],
  ...[
    'formatted_duration',
    'duration',
    'answered',
    'voicemail',
    'direction',
    'agent_email',
    'agent_number',
    'company_name',
  ],
  ...[
    'device_type',
    'call_type',
    'first_call',
    'prior_calls',
    'total_calls',
    'milestones',
    'timeline_url',
    'formatted_customer_name',
  ],
  ...[
    'formatted_tracking_source',
    'formatted_call_type',
    'formatted_customer_location',
    'formatted_customer_name_or_phone_number',
  ],
  ...[
    'recording_duration',
    'recording_player',
    'waveforms',
    'lead_status',
    'good_lead_call_id',
    'good_lead_call_time',
    'medium',
  ],
]

const form = formSource({
  name: 'callrail',
  title: 'CallRail',
  recognizes: (body) =>
    ('customer_phone_number' in body && ('tracking_phone_number' in body || 'answered' in body)) ||
    ('form_data' in body && 'form_url' in body) ||
    'callernum' in body,
  leadSource: 'Phone call (CallRail)',
  skip: OWN,
  paths: {
    fullName: ['customer_name', 'callername', 'form_data.name'],
    phone: ['customer_phone_number', 'callernum'],
    email: ['customer_email'],
    leadSource: ['source_name', 'source', 'formatted_tracking_source'],
    notes: ['note', 'call_summary'],
    externalId: ['resource_id', 'id', 'callsource_id'],
  },
})

/** The source CallRail: calls, text messages and form submissions. A call names nobody where the number has no name. */
export const callrail: LeadSource = {
  ...form,
  read: (body) => {
    const draft = form.read(body)
    const { fullName, firstName, phone } = draft.values
    if (fullName === undefined && firstName === undefined && phone !== undefined) {
      set(draft, 'fullName', 'Unknown caller', 'no name in the body')
    }
    if (textOf(body.direction) === 'outbound') draft.kind = 'ignored'
    return draft
  },
}
