import { answersIn } from './answers'
import { type LeadSource, valueAt } from './define'
import { formSource } from './form'

/** The source Webflow forms: version 2 with a `payload`, and the flat version 1. */
export const webflow: LeadSource = formSource({
  name: 'webflow',
  title: 'Webflow',
  recognizes: (body) => body.triggerType === 'form_submission' || ('data' in body && 'site' in body && '_id' in body),
  leadSource: 'Website form (Webflow)',
  paths: { externalId: ['payload.id', '_id'] },
  answers: (body) => answersIn({ data: valueAt(body, 'payload.data') ?? body.data }),
})
