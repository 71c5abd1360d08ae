import { Facts } from '@/app/ui/facts'
import { Table } from '@/app/ui/table'
import { cleanText as clean } from '@/lib/core/clean'

/** How a body was read: our fields with where each stood, what nobody read, what went to the notes, the category. */
export type Mapping = {
  from: Record<string, string>
  unread: string[]
  setAside: string[]
  corrections?: Record<string, string> | undefined
  category?: string | null | undefined
  keyword?: string | null | undefined
}

type Row = { field: string; place: string; value: string | undefined }

const list = (names: string[], none: string) => (names.length === 0 ? none : names.map(clean).join(', '))

/** A mapping field by field; `values` are what was made of the body, where it is known. */
export function MappingTable({ mapping, values }: { mapping: Mapping; values?: Record<string, string> | null }) {
  const { from, unread, setAside, category, keyword } = mapping
  const made = Object.keys(values ?? {}).filter((field) => !(field in from))
  const rows: Row[] = [...Object.keys(from), ...made].map((field) => ({
    field,
    place: from[field] ?? 'combined from other fields',
    value: values?.[field],
  }))
  return (
    <>
      <Facts
        facts={[
          ['Category', category ?? 'none'],
          ['By the keyword', keyword ? `“${clean(keyword)}”` : 'none matched'],
          ['Unused fields', list(unread, 'none')],
          ['Unusable, kept in the notes', list(setAside, 'nothing')],
        ]}
      />
      <Table
        caption="Fields"
        rows={rows}
        rowKey={({ field }) => field}
        empty={<p className="text-quiet">No field was found in the body.</p>}
        columns={[
          { name: 'field', head: 'Our field', mono: true, cell: ({ field }) => field },
          { name: 'place', head: 'In the body', mono: true, cell: ({ place }) => clean(place) },
          ...(values
            ? [
                {
                  name: 'value',
                  head: 'Kept as',
                  cell: ({ value }: Row) => <span className="wrap-anywhere">{clean(value ?? '')}</span>,
                },
              ]
            : []),
        ]}
      />
    </>
  )
}
