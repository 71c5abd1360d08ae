'use client'

import { Badge, type Tone } from '@/app/ui/badge'
import { Button } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import type { TableColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import { Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { cleanText } from '@/lib/core/clean'
import type { HeldFile } from '@/lib/portal/load-events'
import { type Choices, choiceOf } from './draft.client'
import { type FieldGroup, FieldOptions } from './field-options'

const TAKEN: Record<HeldFile['taken'], { text: string; tone: Tone }> = {
  ours: { text: 'Known', tone: 'good' },
  software: { text: 'Recognized', tone: 'good' },
  kept: { text: 'Mapped before', tone: 'good' },
  guessed: { text: 'Please check', tone: 'warn' },
  unusable: { text: 'Cannot be used', tone: 'danger' },
}

type Props = {
  file: HeldFile
  groups: FieldGroup[]
  choices: Choices
  isBusy: boolean
  onChoose: (column: string, field: string) => void
  onDrop: () => void
}
type Row = HeldFile['columns'][number]

function FieldMenu({ file, row, groups, choices, onChoose }: Omit<Props, 'isBusy' | 'onDrop'> & { row: Row }) {
  const { column, fields } = row
  return (
    <Select
      aria-label={`Field for ${cleanText(column)}`}
      value={choices[choiceOf(file.file, column)] ?? fields[0] ?? ''}
      onChange={({ target }) => onChoose(column, target.value)}
    >
      <option value="">Leave out</option>
      <FieldOptions groups={groups} />
    </Select>
  )
}

const sure = ({ confidence }: Row) => (confidence === 0 ? null : `${Math.round(confidence * 100)}%`)

const NAMED: TableColumn<Row>[] = [
  { name: 'column', head: 'Column', kind: 'text', value: ({ column }) => column || '(no name)' },
  {
    name: 'samples',
    head: 'Samples',
    kind: 'text',
    isLong: true,
    rank: 2,
    value: ({ samples }) => samples.join(' · '),
  },
]
const WHY: TableColumn<Row>[] = [
  { name: 'sure', head: 'Sure', kind: 'percent', rank: 2, value: sure },
  { name: 'why', head: 'Why', kind: 'text', isLong: true, rank: 3, value: ({ reason }) => reason },
]

/** A file that is held: what it was taken for, and for a strange one a menu of fields for each column. */
export function Held(props: Props) {
  const { file, isBusy, onDrop } = props
  const { text, tone } = TAKEN[file.taken]
  const isMapped = file.taken === 'guessed' || file.taken === 'kept'
  const field: TableColumn<Row> = {
    name: 'field',
    head: 'Field',
    kind: 'parts',
    parts: (row) => (isMapped ? <FieldMenu {...props} row={row} /> : row.fields.join(', ') || 'not read'),
  }
  const table = (
    <DataTable
      caption={`Columns of ${cleanText(file.file)}`}
      columns={[...NAMED, field, ...(isMapped ? WHY : [])]}
      rows={file.columns}
      rowKey={({ column }) => `${file.columns.findIndex((each) => each.column === column)} ${column}`}
    />
  )
  return (
    <Card
      title={<span className="font-mono wrap-anywhere">{cleanText(file.file)}</span>}
      text={[file.source, file.form].filter(Boolean).join('. ').replace('..', '.')}
      actions={
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{text}</Badge>
          <Button size="small" aria-disabled={isBusy} onClick={onDrop}>
            Remove<span className="sr-only"> {cleanText(file.file)}</span>
          </Button>
        </span>
      }
    >
      <div className="grid gap-3">
        {file.problem !== null && (
          <Notice tone={isMapped ? 'warn' : 'danger'}>
            <p>{cleanText(file.problem)}</p>
          </Notice>
        )}
        {file.columns.length > 0 &&
          (isMapped ? (
            table
          ) : (
            <details>
              <summary className="w-fit">{`${file.columns.length} columns`}</summary>
              <div className="mt-3">{table}</div>
            </details>
          ))}
      </div>
    </Card>
  )
}
