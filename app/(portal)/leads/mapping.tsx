import { sentence } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { Facts } from '@/app/ui/facts'
import { cleanText as clean } from '@/lib/core/clean'

/** The mapping of a body: our fields and their place in the body, unused fields, values moved to the notes, and the category. */
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
          ['Category', category ? sentence(category) : 'none'],
          ['Matched keyword', keyword ? `“${clean(keyword)}”` : 'none matched'],
          ['Unused fields', list(unread, 'none')],
          ['Invalid values, kept in the notes', list(setAside, 'none')],
        ]}
      />
      <DataTable
        caption="Fields"
        rows={rows}
        rowKey={({ field }) => field}
        empty={<p className="text-quiet">No field was found in the body.</p>}
        columns={[
          { name: 'field', head: 'Our field', kind: 'code', isLong: true, value: ({ field }) => field },
          { name: 'place', head: 'In the body', kind: 'code', isLong: true, value: ({ place }) => place },
          ...(values
            ? [
                {
                  name: 'value',
                  head: 'Kept as',
                  kind: 'text' as const,
                  isLong: true as const,
                  value: ({ value }: Row) => value,
                },
              ]
            : []),
        ]}
      />
    </>
  )
}
