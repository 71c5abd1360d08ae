import * as z from 'zod'
import { database } from '@/db/client'
import { identifierOf, type ResourceName, withArticle } from '@/lib/core/resource-names'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { defineOperation } from '../define'
import { besideSchema, IdInput, readBeside, readLinked, readRecord, recordSchema } from './parts'
import { Lead, NOTHING, readProject } from './view-project'

const { customers, projects } = resources

/** The resources whose pages show more, by operations of their own. */
const OWN: readonly ResourceName[] = ['customers', 'projects', 'invoices', 'payments']

/** Returns the operation that reads a record for its page: with what it is for, and the others for the same. */
function viewOperation(resource: Resource) {
  const { singular, name, scope } = resource
  const one = withArticle(singular)
  const linked = resource.links.flatMap((link) => fieldOfLink(resource, link) ?? [])
  return defineOperation({
    name: `view_${identifierOf(singular)}`,
    title: one.replace('a', 'A'),
    description: `${one.replace('a', 'A')} with its customer, its project and that project’s lead, and the other ${name} for it.`,
    access: [scope, 'read:customers', 'read:projects'],
    effect: 'read',
    input: IdInput,
    output: z.object({
      record: recordSchema(resource),
      customer: recordSchema(customers).nullable(),
      project: recordSchema(projects).nullable(),
      lead: Lead,
      others: besideSchema(resource).describe('All of the project, this one too; of the customer without a project'),
    }),
    example: { record: resource.example, customer: null, project: null, lead: null, others: NOTHING },
    run: async (ctx, { id }) => {
      const record = await readRecord(await database(), resource, ctx, id)
      const customer = await readLinked(customers, ctx, record, 'customerId')
      const found = typeof record.projectId === 'string' ? await readProject(ctx, record.projectId) : undefined
      const beside = ['projectId', 'customerId'].find((field) => linked.includes(field) && record[field] !== undefined)
      return {
        record: recordSchema(resource).parse(record),
        customer: customer && recordSchema(customers).parse(customer),
        project: found?.record ?? null,
        lead: found?.lead ?? null,
        others: beside ? await readBeside(resource, ctx, { [beside]: String(record[beside]) }) : NOTHING,
      }
    },
  })
}

/** The operations of the pages that a record has without one of its own, by the name of its resource. */
export const views = new Map(
  RESOURCES.filter(({ name }) => !OWN.includes(name)).map((resource) => [resource.name, viewOperation(resource)]),
)
