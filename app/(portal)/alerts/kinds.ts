/** The kinds of alerts, with their labels in the form. */
export const KINDS = [
  { name: 'refused_leads', label: 'Refused leads', hint: 'A lead was refused or failed on our side.' },
  { name: 'due_follow_ups', label: 'Follow-ups due', hint: 'The day has come that was set to follow up on a lead.' },
  { name: 'expiring_keys', label: 'Expiring keys', hint: 'A key expires within 7 days, and again within 1 day.' },
  {
    name: 'error_spikes',
    label: 'Error spikes',
    hint: 'An hour has at least 20 errors, over a fifth of its requests, and three times the usual number.',
  },
  { name: 'failed_loads', label: 'Failed loads', hint: 'A data file had refused rows, or its load did not finish.' },
  {
    name: 'paused_webhooks',
    label: 'Paused webhooks',
    hint: 'A webhook was paused because its receiver took nothing for 72 hours, or is gone.',
  },
  {
    name: 'stopped_connectors',
    label: 'Stopped connectors',
    hint: 'QuickBooks Online must be connected again, or reading from it has failed several times.',
  },
] as const

/** The periods over which events are gathered into one message. */
export const DIGESTS = [
  { name: 'immediate', label: 'Right away', hint: 'at most one message a minute' },
  { name: 'hourly', label: 'Hourly', hint: 'at most one message an hour' },
  { name: 'daily', label: 'Daily', hint: 'one message a day' },
] as const
