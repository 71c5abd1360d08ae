import * as z from 'zod'
import { database, type Orm, withinContractor } from '@/db/client'
import { leadPerson, lockLead, separate, takeOver } from '@/db/queries/lead-person'
import { type ActingPerson, personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newRecordId } from '@/lib/core/ids'
import { customers } from '@/lib/resources/customers'
import { MatchedBy } from '@/lib/resources/projects'
import { defineOperation } from './define'
import { ProjectId } from './entries/fields'

/** A field of a customer that a lead may say otherwise. */
export const PersonField = z.enum(['name', 'email', 'phone', 'address'])
const PersonFields = z.array(PersonField)

/** Whom a lead named, as sent. */
export const LeadPerson = z.object({
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  message: z.string().nullable(),
  matchedBy: MatchedBy.nullable(),
  differs: PersonFields.describe('What the lead says otherwise than its customer'),
})

const Lead = LeadPerson.extend({
  projectId: z.string(),
  jobNumber: z.int().nullable(),
  customer: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.string().nullable(),
  }),
})

/** An example of a lead's person. */
export const LEAD_PERSON: z.output<typeof LeadPerson> = {
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: '+16155558888',
  address: null,
  message: 'Leak over the stairs',
  matchedBy: 'email',
  differs: ['phone'],
}

/** Returns the refusal of a project that no lead made. */
const noLead = () => new ServiceError('not_found', 'No project with this id came in as a lead.')

/** Returns whom the lead of a project named, beside its customer. */
export const getLead = defineOperation({
  name: 'get_lead',
  title: 'The lead of a project',
  description: 'Whom the lead of a project named and what it said, as sent, and how its customer differs.',
  access: ['read:projects', 'read:customers'],
  effect: 'read',
  input: z.object({ projectId: ProjectId }).strict(),
  output: z.object({ lead: Lead.nullable().describe('Null when the project came by no lead') }),
  example: {
    lead: {
      ...LEAD_PERSON,
      projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
      jobNumber: 107,
      customer: {
        id: customers.example.id,
        name: 'Dana Whitfield',
        email: 'dana@example.com',
        phone: '+16155550142',
        address: null,
      },
    },
  },
  run: async ({ actor }, { projectId }) => {
    const found = await leadPerson(await database(), actor.contractorId, projectId)
    return { lead: found === undefined ? null : Lead.parse(JSON.parse(found)) }
  },
})

const inContractor = async <T>(by: ActingPerson, change: (orm: Orm) => Promise<T>) =>
  withinContractor((await database()).orm, by.contractorId, change)

/** Takes what a lead says over to its customer. */
export const updateCustomerFromLead = defineOperation({
  name: 'update_customer_from_lead',
  title: 'Update a customer from a lead',
  description: 'Gives the customer of a lead the name, email, phone or address that the lead was sent with.',
  access: 'admin',
  effect: 'write',
  input: z.object({ projectId: ProjectId, fields: PersonFields.min(1) }).strict(),
  output: z.object({ customerId: z.string() }),
  example: { customerId: customers.example.id },
  run: async ({ actor }, { projectId, fields }) => {
    const by = personOf(actor)
    return inContractor(by, async (orm) => {
      const before = await takeOver(orm, by.contractorId, projectId, fields)
      if (!before) throw noLead()
      const replaced = Object.fromEntries(fields.map((field) => [field, before[field]]))
      await audit(orm, by, { event: 'customer_updated', subject: before.id, detail: { projectId, ...replaced } })
      return { customerId: before.id }
    })
  },
})

/** Makes a lead's person a customer of their own. */
export const separateLead = defineOperation({
  name: 'separate_lead',
  title: 'Separate a lead from its customer',
  description:
    'Makes a customer of the person that a lead named and moves the project there, with all that belongs to it: for a lead that was matched to another person.',
  access: 'admin',
  effect: 'write',
  input: z.object({ projectId: ProjectId }).strict(),
  output: z.object({ customerId: z.string() }),
  example: { customerId: customers.example.id },
  run: async ({ actor }, { projectId }) => {
    const by = personOf(actor)
    return inContractor(by, async (orm) => {
      const lead = await lockLead(orm, by.contractorId, projectId)
      if (!lead) throw noLead()
      if (lead.matchedBy === 'new' || lead.matchedBy === 'separated')
        throw new ServiceError('bad_request', 'This lead’s customer was made for it, so there is nothing to separate.')
      const customerId = newRecordId(customers.idPrefix)
      await separate(orm, by.contractorId, projectId, customerId)
      await audit(orm, by, {
        event: 'lead_separated',
        subject: projectId,
        detail: { from: lead.customerId, customerId },
      })
      return { customerId }
    })
  },
})
