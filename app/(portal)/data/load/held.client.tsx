'use client'

import { Badge, type Tone } from '@/app/ui/badge'
import { Button } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import { Select } from '@/app/ui/input'
import { Notice } from '@/app/ui/notice'
import { type Column, Table } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import type { HeldFile } from '@/lib/portal/load-events'
import { type Choices, choiceOf } from './draft.client'

/** The fields that a column can fill, by whose they are. */
export type FieldGroup = { owner: string; fields: { field: string; label: string }[] }

const TAKEN: Record<HeldFile['taken'], { text: string; tone: Tone }> = {
  ours: { text: 'Known', tone: 'good' },
  software: { text: 'Recognized', tone: 'good' },
  kept: { text: 'Mapped before', tone: 'good' },
  guessed: { text: 'Please check', tone: 'warn' },
  unusable: { text: 'Cannot be used', tone: 'bad' },
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
      {groups.map(({ owner, fields: own }) => (
        <optgroup key={owner} label={owner}>
          {own.map(({ field, label }) => (
            <option key={field} value={field}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

const sure = ({ confidence }: Row) => (confidence === 0 ? '–' : `${Math.round(confidence * 100)}%`)

const NAMED: Column<Row>[] = [
  { name: 'column', width: 'sm:w-40', head: 'Column', cell: ({ column }) => cleanText(column) || '(no name)' },
  {
    name: 'samples',
    width: 'sm:w-56',
    head: 'Samples',
    cell: ({ samples }) => samples.map(cleanText).join(' · ') || '–',
  },
]
const WHY: Column<Row>[] = [
  { name: 'sure', width: 'sm:w-20', head: 'Sure', end: true, cell: sure },
  { name: 'why', width: 'sm:w-56', head: 'Why', cell: ({ reason }) => reason },
]

/** A file that is held: what it was taken for, and for a strange one a menu of fields for each column. */
export function Held(props: Props) {
  const { file, isBusy, onDrop } = props
  const { text, tone } = TAKEN[file.taken]
  const isMapped = file.taken === 'guessed' || file.taken === 'kept'
  const field: Column<Row> = {
    name: 'field',
    width: 'sm:w-64',
    head: 'Field',
    cell: (row) => (isMapped ? <FieldMenu {...props} row={row} /> : row.fields.join(', ') || 'not read'),
  }
  const table = (
    <Table
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
          <Notice tone={isMapped ? 'warn' : 'bad'}>
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
