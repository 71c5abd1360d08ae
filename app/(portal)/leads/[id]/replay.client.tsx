'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Button } from '@/app/ui/button'
import { DialogButton } from '@/app/ui/dialog.client'
import { Field } from '@/app/ui/field'
import { Select, Textarea } from '@/app/ui/input'
import { replayAction } from '../actions'

type Props = { id: string; contractorId: string; source: string; sources: string[]; body: string }

/** Replays a delivery: unchanged, with an edited body, or as another source's format. */
export function Replay({ id, contractorId, source, sources, body }: Props) {
  return (
    <span className="contents noscript:hidden">
      <DialogButton label="Replay" title="Replay this delivery" wide>
        {(close) => (
          <>
            <p className="mb-4 text-quiet">
              The delivery is processed as if its sender had posted it now. If it already created a project, that
              project is found and no second one is created.
            </p>
            <ReplayForm {...{ id, contractorId, source, sources, body }} onDone={close} />
          </>
        )}
      </DialogButton>
    </span>
  )
}

/** Replays a delivery without script, where no dialog opens. */
export function PlainReplay({ id, contractorId, source, sources }: Omit<Props, 'body'>) {
  return (
    <ActionForm action={replayAction} submit="Replay" values={{ id, contractorId }}>
      {(fault, entered) => (
        <>
          <Field label="Source" error={fault('source')}>
            {(tied) => (
              <Select name="source" defaultValue={entered.text('source', source)} {...tied}>
                {source === '' && <option value="">choose one</option>}
                {sources.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Edited body" hint="JSON. Leave blank to replay the body as it is stored." error={fault('body')}>
            {(tied) => (
              <Textarea
                name="body"
                rows={6}
                className="font-mono text-sm"
                defaultValue={entered.text('body')}
                {...tied}
              />
            )}
          </Field>
        </>
      )}
    </ActionForm>
  )
}

function ReplayForm({ id, contractorId, source, sources, body, onDone }: Props & { onDone: () => void }) {
  const [as, setAs] = useState(source)
  const [edited, setEdited] = useState<string>()
  return (
    <ActionForm action={replayAction} submit="Replay" values={{ id, contractorId }} onDone={onDone}>
      {(fault) => (
        <>
          <Field label="Source" error={fault('source')}>
            {(tied) => (
              <Select name="source" value={as} onChange={(event) => setAs(event.target.value)} {...tied}>
                {source === '' && <option value="">choose one</option>}
                {sources.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </Select>
            )}
          </Field>
          {edited === undefined ? (
            <div>
              <Button size="small" onClick={() => setEdited(body)}>
                Edit body
              </Button>
            </div>
          ) : (
            <Field label="Edited body" hint="JSON." error={fault('body')}>
              {(tied) => (
                <Textarea
                  name="body"
                  rows={10}
                  className="font-mono text-sm"
                  value={edited}
                  onChange={(event) => setEdited(event.target.value)}
                  {...tied}
                />
              )}
            </Field>
          )}
        </>
      )}
    </ActionForm>
  )
}
