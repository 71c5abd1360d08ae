'use client'

import { ActionForm } from '@/app/ui/action-form.client'
import { undoEntryAction } from './actions'

/** The button that undoes a note or a follow-up; `what` tells readers of its name alone which one. */
export function Undo({ contractorId, id, what }: { contractorId: string; id: string; what: string }) {
  return (
    <ActionForm
      action={undoEntryAction}
      submit="Undo"
      look="plain"
      size="small"
      values={{ contractorId, id }}
      className="inline"
    >
      {() => <span className="sr-only">{what}</span>}
    </ActionForm>
  )
}
