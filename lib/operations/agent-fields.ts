import * as z from 'zod'
import type { ListColumn, ListSource } from '@/db/queries/list-types'
import type { Actor } from '@/lib/auth/actor'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { Instant } from '@/lib/resources/fields'
import { resourceCalled } from '@/lib/resources/registry'

/** The rows of a list, which have nothing that a model does not ask for, or a record of its own, which has its moments too. */
type Form = 'row' | 'record'

/** The field that is the same in every record of a key. */
const CONSTANT = 'contractorId'
/** The fields of when a record came and changed here, which only the record alone has. */
const MOMENTS = ['createdAt', 'updatedAt']

/** What the data API says of days, which agents are given as days. */
const AS_MOMENT = '; a plain day is midnight UTC'

const withoutMidnight = <T extends z.core.$ZodType>(
  schema: T & { description?: string | undefined; describe(text: string): T },
): T => {
  const { description } = schema
  return description?.endsWith(AS_MOMENT) ? schema.describe(description.slice(0, -AS_MOMENT.length)) : schema
}

const isShown = (field: string, form: Form): boolean =>
  field !== CONSTANT && (form === 'record' || !MOMENTS.includes(field))

/** The columns of a form. What orders the pages of a list is selected, shown or not. */
const columnsOf = ({ source }: Resource, form: Form): ListColumn[] =>
  source.columns.flatMap((column): ListColumn[] => {
    if (isShown(column.field, form)) return [column]
    return column.field === CONSTANT ? [] : [{ ...column, hidden: true }]
  })

/** The names that are shown beside ids, such as `customerName`, with what tells whether the key may read them. */
function namesOf(resource: Resource) {
  return resource.links.flatMap((link) => {
    const other = resourceCalled(link.to)
    const id = fieldOfLink(resource, link)
    if (id === undefined || !('name' in other.columns)) return []
    const { table } = other.source
    // `|| ''` leaves the primary key as the only index.
    const column = `(select o.name from ${table} o where o.id = l.${link.column.name} and o.contractor_id || '' = $1)`
    return [
      {
        field: `${link.to}Name`,
        scope: other.scope,
        column: { field: `${link.to}Name`, column, kind: 'text', nullable: true } as const,
      },
    ]
  })
}

/**
 * The moment of a record's last change as agents are shown it: that of a load or a correction here, and not of anything that happened in
 * the business, for which its name would be taken.
 */
const STORED_AT = {
  storedAt: Instant.optional().describe('When it was last stored or changed here, not when it happened'),
}
const storedAt = (column: ListColumn): ListColumn =>
  column.field === 'updatedAt' ? { ...column, field: 'storedAt' } : column

/** Puts each name behind the id it belongs to. */
function withNames(columns: ListColumn[], names: ListColumn[]): ListColumn[] {
  return columns.flatMap((column) => [
    column,
    ...names.filter(({ field }) => field.replace('Name', 'Id') === column.field),
  ])
}

/**
 * Returns a function that gives a resource's source as agents are shown it: with names beside the ids, as far as the key may read
 * whose names they are. Each set of names has its own source, made once.
 */
export function agentListSource(resource: Resource, form: Form = 'row'): (actor: Pick<Actor, 'scopes'>) => ListSource {
  const names = namesOf(resource)
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { sql, kind }]) => ({
    field,
    column: sql,
    kind,
    nullable: true,
  }))
  const made = new Map<string, ListSource>()
  return ({ scopes }) => {
    const shown = names.filter(({ scope }) => scopes.has(scope)).map(({ column }) => column)
    const variant = ['told', form, ...shown.map(({ field }) => field)].join(' ')
    const known = made.get(variant)
    if (known) return known
    const columns = [...withNames(columnsOf(resource, form), shown).map(storedAt), ...told]
    const source = { ...resource.source, columns, variant, tellsState: true } as const
    made.set(variant, source)
    return source
  }
}

/** Returns the schema of a resource's record for agents. */
export function agentOutput(resource: Resource, form: Form = 'row'): z.ZodObject {
  const fields = Object.entries(resource.output.shape).filter(([field]) => isShown(field, form))
  const shown = fields.flatMap(([field, schema]) =>
    field === 'updatedAt' ? Object.entries(STORED_AT) : [[field, withoutMidnight(schema)] as const],
  )
  const names = namesOf(resource).map(({ field }) => [field, z.string().optional()] as const)
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { schema }]) => [field, schema] as const)
  return z.object(Object.fromEntries([...shown, ...names, ...told]))
}

/** The example of a resource as agents are shown it. */
export function agentExample(resource: Resource, form: Form = 'row'): Record<string, unknown> {
  const names = resource.links.map(({ to }) => [`${to}Name`, resourceCalled(to).example.name])
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { example }]) => [field, example])
  const { updatedAt: storedAt, ...example } = resource.example
  return agentOutput(resource, form).parse({ ...example, storedAt, ...Object.fromEntries([...names, ...told]) })
}

/** The fields of records as agents are shown them that strangers wrote. */
export const untrustedOf = (resource: Resource): string[] => [
  ...(resource.tool.untrusted ?? []),
  ...namesOf(resource).map(({ field }) => field),
]
