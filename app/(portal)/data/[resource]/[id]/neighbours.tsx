import { z } from 'zod'
import { hrefOf } from '@/app/query'
import { Card } from '@/app/ui/card'
import { Table } from '@/app/ui/table'
import { RESOURCES } from '@/lib/resources/registry'
import { wordsOf } from '../../resources'
import { columnsOf, type Item, type Names, nameOf } from '../../value'

const Record = z.record(z.string(), z.unknown())
/** Several related records and how many more there are, or a single one. */
const Some = z.object({ items: z.array(Record), more: z.int() })

const ofName = (name: string) => RESOURCES.find(({ name: plural, singular }) => name === plural || name === singular)

type Props = { neighbours: Record<string, unknown>; id: string; of: string; names: Names }

/** Reads the related records of a kind, and how many more there are. */
function someOf(value: unknown): { items: Item[]; more: number } {
  const some = Some.safeParse(value)
  return some.success ? some.data : { items: [Record.parse(value)], more: 0 }
}

/** Returns the names of a record and its related records, by id. */
export const namesAround = (record: Item, neighbours: Record<string, unknown>): Names =>
  Object.fromEntries(
    [record, ...Object.values(neighbours).flatMap((value) => (value === undefined ? [] : someOf(value).items))].map(
      (item) => [String(item.id), nameOf(item)],
    ),
  )

/** Records related to this one: one table per kind, and where to find the rest. */
export function Neighbours({ neighbours, id, of, names }: Props) {
  return (
    <div className="grid gap-6">
      {Object.entries(neighbours).map(([name, value]) => {
        const resource = ofName(name)
        if (!resource || value === undefined) return null
        const { items, more } = someOf(value)
        const filter = `${of}Id`
        return (
          <Card key={name} title={wordsOf(name)}>
            <Table
              caption={`${wordsOf(name)} of this record`}
              columns={columnsOf(resource, names, { around: of })}
              rows={items}
              rowKey={({ id }) => String(id)}
              empty={<p className="text-quiet">None.</p>}
            />
            {more > 0 && (
              <p className="mt-3 text-quiet">
                {`${more.toLocaleString('en-US')} more.`}{' '}
                {filter in resource.filters && (
                  <a href={hrefOf(`/data/${resource.name}`, { [filter]: id })}>{`Show all ${resource.name}`}</a>
                )}
              </p>
            )}
          </Card>
        )
      })}
    </div>
  )
}
