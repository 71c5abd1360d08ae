import type { Tone } from '@/app/ui/badge'
import type { FieldFault } from '@/lib/core/errors'
import type { Outcome } from '@/lib/leads/deliveries'

export const OUTCOME_TONES: Record<Outcome, Tone> = {
  created: 'good',
  duplicate: 'neutral',
  test: 'neutral',
  ignored: 'neutral',
  refused: 'warn',
  failed: 'danger',
}

/** What became of a delivery, as people read it. */
export const OUTCOME_TEXTS: Record<Outcome, string> = {
  created: 'New project',
  duplicate: 'Already received',
  test: 'Test',
  ignored: 'Not a lead',
  refused: 'Needs fixing',
  failed: 'Failed',
}

const CONTACT = 'Ask for an email address or a phone number on the form and make one of them required.'

const BY_FIELD: Record<string, string> = {
  firstName: 'Make the name a required field of the form.',
  lastName: 'Make the name a required field of the form; our own format needs separate first and last names.',
  email: CONTACT,
  phone: CONTACT,
  body: 'Have the sender post one JSON object, or a form’s fields. The received body is shown below.',
  google_key:
    'Create a new secret with `plumbline leads secret google-ads` and enter it as the key of the form’s webhook.',
}

const BY_STATUS: Record<number, string> = {
  403: 'Give the sender a key with the scope write:leads.',
  404: 'Have the sender post to the URL of a known source, or replay the delivery as one.',
  413: 'Have the sender leave attachments out: a lead may have at most 64 KB.',
  415: 'Have the sender post with the content type application/json.',
  429: 'The sender posts more often than the limit allows. Most senders retry on their own.',
}

/** Advice for contacts that were given and cannot be used. */
const BY_CONTACT: Record<string, string> = {
  email: 'Have the form check that the email address can be one.',
  phone: 'Have the form check that the phone number is whole, with its area code.',
}

/** Returns what to do about a field: a contact that is there but wrong is another fault than one that is missing. */
function adviceAt({ field, message }: FieldFault): string {
  const isMissing = /required|neither/.test(message)
  return (isMissing ? undefined : BY_CONTACT[field]) ?? BY_FIELD[field] ?? `Have the sender fix the field ${field}.`
}

/** Returns what to do about a delivery that created no project, step by step; empty when nothing is wrong. */
export function adviceFor(delivery: { outcome: Outcome; status: number; faults: FieldFault[] | null }): string[] {
  const { outcome, status, faults } = delivery
  if (outcome === 'failed')
    return [
      'This was our fault, and the sender was asked to retry. If it does not, an administrator can replay it here.',
    ]
  if (outcome !== 'refused') return []
  const atFields = (faults ?? []).map(adviceAt)
  const first = BY_STATUS[status]
  const again = 'The lead is not lost: an administrator can correct and replay it here.'
  return [...new Set([...(first ? [first] : []), ...atFields, again])]
}
