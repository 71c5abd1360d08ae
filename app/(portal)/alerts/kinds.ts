/** What one can be alerted of, in the words of the form. */
export const KINDS = [
  { name: 'refused_leads', label: 'Refused leads', hint: 'A lead was refused, or failed on our side.' },
  { name: 'expiring_keys', label: 'Expiring keys', hint: 'A key expires within 7 days, and again within 1 day.' },
  {
    name: 'error_spikes',
    label: 'Error spikes',
    hint: 'In an hour at least 20 errors, a fifth of the requests, and three times as many as usual.',
  },
  { name: 'failed_loads', label: 'Failed loads', hint: 'A data file had refused rows, or was not loaded to its end.' },
] as const

/** How long events are gathered for one message. */
export const DIGESTS = [
  { name: 'immediate', label: 'Right away', hint: 'at most one message a minute' },
  { name: 'hourly', label: 'Hourly', hint: 'at most one message an hour' },
  { name: 'daily', label: 'Daily', hint: 'one message a day' },
] as const
