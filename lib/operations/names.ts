import * as z from 'zod'
import { database } from '@/db/client'
import { namesOf } from '@/db/queries/browse'
import type { Actor } from '@/lib/auth/actor'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { resourceCalled } from '@/lib/resources/registry'

/** The field that people call a record by, if its resource has one. */
const NAME_FIELDS = ['name', 'number']

const Items = z.array(z.record(z.string(), z.unknown()))

/** Returns what the records are called that some items belong to, by id: the text of a JSON object, as the items are that of an array. */
export async function namesBeside(resource: Resource, { contractorId }: Actor, text: string): Promise<string> {
  const [db, items] = [await database(), Items.parse(JSON.parse(text))]
  const found = await Promise.all(
    resource.links.map(async (link) => {
      const [other, field] = [resourceCalled(link.to), fieldOfLink(resource, link)]
      const label = NAME_FIELDS.find((name) => name in other.columns)
      const column = label && other.columns[label]
      const ids = field ? [...new Set(items.map((item) => item[field]))].filter((id) => typeof id === 'string') : []
      return column && ids.length > 0 ? namesOf(db, other.source, column.name, { contractorId, ids }) : []
    }),
  )
  return JSON.stringify(Object.fromEntries(found.flat().map(({ id, name }) => [id, name])))
}
