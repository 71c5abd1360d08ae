'use client'

import { type DragEvent, useRef, useState } from 'react'
import { classes } from '@/app/ui/classes'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'

/** Endings of the names of tables. */
const ACCEPT = '.csv,.tsv,.txt,.tab,.iif,.xlsx,text/csv'

type Props = { fault: string | undefined; onFiles: (files: File[]) => void }

/** Takes several files: dropped, or chosen with the keyboard. */
export function DropZone({ fault, onFiles }: Props) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
  }
  const take = (files: FileList | null | undefined) => {
    onFiles([...(files ?? [])])
    // The same file can be chosen again once it is corrected.
    if (input.current) input.current.value = ''
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is only another way to the field inside, which takes the keyboard.
    <div
      onDragOver={over}
      onDragLeave={over}
      onDrop={(event) => {
        over(event)
        take(event.dataTransfer.files)
      }}
      className={classes(
        'max-w-prose rounded-lg border-2 border-dashed p-6 transition-colors',
        isOver ? 'border-focus bg-sunken' : 'border-edge bg-raised',
      )}
    >
      <Field
        label="Files"
        hint="Drop several files here, or choose them: CSV, TSV, IIF or Excel, with whatever columns they have. Nothing is loaded yet."
        error={fault}
      >
        {(tied) => (
          <Input
            {...tied}
            ref={input}
            type="file"
            multiple
            accept={ACCEPT}
            onChange={({ target }) => take(target.files)}
          />
        )}
      </Field>
    </div>
  )
}
