'use client'

import { RowAction } from '@/app/ui/row-action.client'
import { undoEntryAction } from './actions'

/** The button that undoes a note or a follow-up; `what` tells readers of its name alone which one. */
export function Undo({ contractorId, id, what }: { contractorId: string; id: string; what: string }) {
  return <RowAction action={undoEntryAction} submit="Undo" look="plain" values={{ contractorId, id }} what={what} />
}
