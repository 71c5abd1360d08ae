import { z } from 'zod'
import { hrefOf } from '@/app/query'
import { Card } from '@/app/ui/card'
import { Table } from '@/app/ui/table'
import { RESOURCES } from '@/lib/resources/registry'
import { wordsOf } from '../../resources'
import { columnsOf, type Item } from '../../value'

const Record = z.record(z.string(), z.unknown())
/** Several related records and how many more there are, or a single one. */
const Some = z.object({ items: z.array(Record), more: z.int() })

const ofName = (name: string) => RESOURCES.find(({ name: plural, singular }) => name === plural || name === singular)

type Props = { neighbours: Record<string, unknown>; id: string; of: string }

/** Records related to this one: one table per kind, and where to find the rest. */
export function Neighbours({ neighbours, id, of }: Props) {
  return (
    <div className="grid gap-6">
      {Object.entries(neighbours).map(([name, value]) => {
        const resource = ofName(name)
        if (!resource || value === undefined) return null
        const some = Some.safeParse(value)
        const items: Item[] = some.success ? some.data.items : [Record.parse(value)]
        const more = some.success ? some.data.more : 0
        const filter = `${of}Id`
        return (
          <Card key={name} title={wordsOf(name)}>
            <Table
              caption={`${wordsOf(name)} of this record`}
              columns={columnsOf(resource)}
              rows={items}
              rowKey={({ id }) => String(id)}
              empty={<p className="text-quiet">None.</p>}
            />
            {more > 0 && (
              <p className="mt-3 text-quiet">
                {`${more.toLocaleString('en-US')} more.`}{' '}
                {filter in resource.filters && (
                  <a href={hrefOf(`/data/${resource.name}`, { [filter]: id })}>{`Show all its ${resource.name}`}</a>
                )}
              </p>
            )}
          </Card>
        )
      })}
    </div>
  )
}
