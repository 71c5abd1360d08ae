'use client'

import { Notice } from '@/app/ui/notice'
import type { Explanation } from '@/lib/portal/explain'
import { visible } from '@/lib/portal/json'

/** An error: what happened, why, and what to do next. Screen readers announce it at once. */
export function Fault({ explanation: { what, why, next, said, requestId } }: { explanation: Explanation }) {
  return (
    <Notice tone="danger" title={what} alert>
      <p>{why}</p>
      <p>{next}</p>
      {said && <p className="text-quiet">The server said: {visible(said)}</p>}
      {requestId && (
        <p className="text-quiet">
          Request id: <code>{requestId}</code>
        </p>
      )}
    </Notice>
  )
}
