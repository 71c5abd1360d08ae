import { Facts } from '@/app/ui/facts'
import { Table } from '@/app/ui/table'
import { cleanText as clean } from '@/lib/core/clean'

/** How a body was read: our fields and their place in the body, unused fields, values moved to the notes, and the category. */
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

/** Shows a mapping field by field; `values` are the stored values, if known. */
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
          ['Matched keyword', keyword ? `“${clean(keyword)}”` : 'none matched'],
          ['Unused fields', list(unread, 'none')],
          ['Invalid values, kept in the notes', list(setAside, 'nothing')],
        ]}
      />
      <Table
        caption="Fields"
        rows={rows}
        rowKey={({ field }) => field}
        empty={<p className="text-quiet">No field was found in the body.</p>}
        columns={[
          { name: 'field', width: 'sm:w-36', head: 'Our field', mono: true, cell: ({ field }) => field },
          { name: 'place', width: 'sm:w-48', head: 'In the body', mono: true, cell: ({ place }) => clean(place) },
          ...(values
            ? [
                {
                  name: 'value',
                  width: 'sm:w-48' as const,
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
