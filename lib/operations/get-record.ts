import { z } from 'zod'
import { database } from '@/db/client'
import { getItem } from '@/db/queries/list'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import { resources } from '@/lib/resources/registry'
import { type Context, defineOperation, JsonText } from './define'
import { MOST_NEIGHBOURS, neighboursOf, type RecordType } from './neighbours'

const { customers, projects, invoices, payments } = resources

/** What an id begins with says what it is the id of. */
const KINDS: Record<string, { type: RecordType; resource: Resource }> = {
  cus: { type: 'customer', resource: customers },
  prj: { type: 'project', resource: projects },
  inv: { type: 'invoice', resource: invoices },
  pay: { type: 'payment', resource: payments },
}

const some = <O extends z.ZodObject>(output: O) =>
  z.object({
    items: z.array(output).describe(`Newest first, at most ${MOST_NEIGHBOURS}`),
    more: z.int().nonnegative().describe('How many there are beyond these'),
  })

const told = <T extends RecordType, O extends z.ZodObject, N extends z.ZodRawShape>(type: T, record: O, near: N) =>
  z.object({
    type: z.literal(type),
    record,
    neighbours: z.object(near),
    withheld: z
      .array(z.string())
      .describe('Neighbours that are left out because the key lacks the scope to read their kind'),
  })

// Named, so that the schema a client is sent tells each once and refers to it.
const Customer = customers.output.meta({ id: 'customer' })
const Project = projects.output.meta({ id: 'project' })
const Invoice = invoices.output.meta({ id: 'invoice' })
const Payment = payments.output.meta({ id: 'payment' })

const one = { project: Project.optional(), customer: Customer.optional() }
const Projects = some(Project).optional()
const Invoices = some(Invoice).optional()
const Payments = some(Payment).optional()

const Answer = z.discriminatedUnion('type', [
  told('customer', Customer, { projects: Projects }),
  told('project', Project, { customer: one.customer, invoices: Invoices, payments: Payments }),
  told('invoice', Invoice, { ...one, payments: Payments }),
  told('payment', Payment, {
    ...one,
    invoice: Invoice.optional().describe('The invoice it is for; absent when it names none'),
  }),
])

const Links = z.object({ id: z.string(), customerId: z.string().optional(), projectId: z.string().optional() })

function kindOf(id: string) {
  const kind = KINDS[id.slice(0, 3)]
  if (!kind) throw new Error('the input takes no other id')
  return kind
}

/** The JSON text of the neighbours the actor may read, and the names of those it may not. */
async function lookAround({ actor }: Context, type: RecordType, record: string) {
  const db = await database()
  const { id, customerId, projectId } = Links.parse(JSON.parse(record))
  const anchor = {
    contractorId: actor.contractorId,
    id,
    ...(customerId === undefined ? {} : { customerId }),
    ...(projectId === undefined ? {} : { projectId }),
  }
  const all = neighboursOf(type)
  const mayRead = all.filter(([, { scope }]) => actor.scopes.has(scope))
  const texts = await Promise.all(
    mayRead.map(async ([name, neighbour]) => {
      const text = await neighbour.find(db, anchor)
      return text === undefined ? [] : [`"${name}":${text}`]
    }),
  )
  const withheld = all.filter(([, { scope }]) => !actor.scopes.has(scope)).map(([name]) => name)
  return { neighbours: `{${texts.flat().join(',')}}`, withheld: JSON.stringify(withheld) }
}

/** Any record by its id, with what belongs to it. */
export const getRecord = defineOperation({
  name: 'get_record',
  title: 'Get one record with its neighbours',
  description:
    'One customer, project, invoice or payment by its id, and what belongs to it: the projects of a customer; the customer, invoices ' +
    'and payments of a project; the project, customer and payments of an invoice; the project, customer and invoice of a payment. At ' +
    `most ${MOST_NEIGHBOURS} of each kind, newest first, and how many more. Take ids from the list tools or from an answer before; for more ` +
    'neighbours use the list tools with customerId or projectId, for sums of a project get_project_financials.',
  access: 'any_key',
  effect: 'read',
  input: z
    .object({
      id: z
        .string()
        .regex(/^(cus|prj|inv|pay)_[\w-]{1,80}$/, 'must be an id that begins with cus_, prj_, inv_ or pay_')
        .describe('As any answer gives it: cus_… a customer, prj_… a project, inv_… an invoice, pay_… a payment'),
    })
    .strict(),
  output: Answer,
  example: {
    type: 'payment',
    record: payments.example,
    neighbours: { project: projects.example, customer: customers.example, invoice: invoices.example },
    withheld: [],
  },
  tool: {
    category: 'projects',
    example: { id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr' },
    untrusted: ['name', 'email', 'reference'],
  },
  alsoNeeds: ({ id }) => [kindOf(id).resource.scope],
  run: async (ctx, { id }) => {
    const { type, resource } = kindOf(id)
    const record = await getItem(await database(), resource.source, { contractorId: ctx.actor.contractorId, id })
    if (record === undefined)
      throw new ServiceError('not_found', `There is no ${type} with this id. Take ids from list_${resource.name}.`)
    const { neighbours, withheld } = await lookAround(ctx, type, record)
    return new JsonText(`{"type":"${type}","record":${record},"neighbours":${neighbours},"withheld":${withheld}}`)
  },
})
