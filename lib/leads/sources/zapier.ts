import { answersIn } from './answers'
import { type DraftField, type LeadSource, SEVERAL } from './define'
import { formSource } from './form'
import { meaningOf, wordsOf } from './labels'

/**
 * Bodies with any field names, flat or nested: what Zapier, Make and similar services send, and forms of one's own. A field is
 * matched by the words of its name.
 */
export const zapier: LeadSource = {
  most: SEVERAL,
  ...formSource({
    name: 'zapier',
    title: 'Zapier and any form',
    // The invitee of Calendly (developer.calendly.com, webhook payload), whose id is its address.
    paths: { externalId: ['payload.uri'] },
    recognizes: (body) => {
      const names = answersIn(body).map(({ label }) => wordsOf(label))
      const fields = new Set(names.map((words) => meaningOf(words)?.field))
      const has = (...wanted: DraftField[]) => wanted.some((field) => fields.has(field))
      const asksForContact = () =>
        names.some((words) => words.some((word) => /^(?:phones?|emails?|mobile)$/.test(word)))
      return has('fullName', 'firstName') && (has('email', 'phone') || asksForContact())
    },
  }),
}
