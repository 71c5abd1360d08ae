import type { LeadSource } from './define'
import { formSource } from './form'

/** The source Contact Form 7: a form whose fields are `your-name`, `your-email`, `your-tel` unless its author named them otherwise. */
export const contactForm7: LeadSource = formSource({
  name: 'contact-form-7',
  title: 'Contact Form 7',
  recognizes: (body) => Object.keys(body).some((name) => name.startsWith('_wpcf7')),
  leadSource: 'Website form (Contact Form 7)',
})
