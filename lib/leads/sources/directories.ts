import type { LeadSource } from './define'
import { formSource } from './form'

/** A directory that publishes no form of its bodies: fields are read by their names, and the id from where directories put it. */
const directory = (name: string, title: string): LeadSource =>
  formSource({
    name,
    title,
    recognizes: (body) => Object.keys(body).some((key) => key.toLowerCase().startsWith(name)),
    leadSource: title,
    always: true,
    paths: {
      externalId: [
        `${name}LeadId`,
        `${name}_lead_id`,
        'leadId',
        'lead_id',
        'LeadID',
        'LeadId',
        'lead.id',
        'lead.lead_id',
        'id',
      ],
    },
  })

export const houzz = directory('houzz', 'Houzz')
export const networx = directory('networx', 'Networx')
export const modernize = directory('modernize', 'Modernize')
