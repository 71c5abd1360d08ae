'use client'

import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import { fetchTail, type TailFault } from '@/lib/portal/ask-tail'
import { type LogRow, type Tail, withNew } from '@/lib/portal/log-rows'
import { LogTable } from './table'

const EVERY_MS = 2_000

type Shown = { rows: LogRow[]; added: number; fault: string | undefined }

function shownAfter(shown: Shown, came: Tail | TailFault): Shown {
  if ('fault' in came) return { ...shown, fault: came.fault }
  const { rows, added } = withNew(shown.rows, came.rows)
  return { rows, added: shown.added + added, fault: undefined }
}

type Props = {
  /** The rows that the server rendered. */
  rows: LogRow[]
  /** The names of the columns that are shown. */
  columns: readonly string[]
  /** The position after these rows; newer requests are requested from here. */
  cursor: string
  /** The page's contractor and filters. */
  query: string
  /** True when newer rows belong on this page: only on the first page of a log without an end date. */
  canFollow: boolean
  /** The content shown instead of the table while there are no rows. */
  empty: ReactNode
}

/** Polls for newer rows while `isOn`. `take` gets each answer; `stop` is called when polling again cannot help. */
function usePolling(
  isOn: boolean,
  query: string,
  cursor: string,
  take: (came: Tail | TailFault) => void,
  stop: () => void,
) {
  const place = useRef(cursor)
  /** Handles an answer. Returns the delay until the next poll, or undefined to stop. */
  const onAnswer = useEffectEvent((came: Tail | TailFault): number | undefined => {
    take(came)
    if ('cursor' in came) {
      place.current = came.cursor
      return came.more ? 0 : EVERY_MS
    }
    if (!came.isOver) return EVERY_MS
    stop()
    return undefined
  })
  useEffect(() => {
    if (!isOn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const turn = async () => {
      // A hidden page does not poll.
      const came = document.hidden ? undefined : await fetchTail(query, place.current)
      if (isGone) return
      const wait = came ? onAnswer(came) : EVERY_MS
      if (wait !== undefined) timer = setTimeout(turn, wait)
    }
    void turn()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isOn, query])
}

/** The log's rows, plus newer ones while the reader follows it live. Without JavaScript it is just the table. */
export function LiveLog({ rows, columns, cursor, query, canFollow, empty }: Props) {
  const [shown, take] = useReducer(shownAfter, { rows, added: 0, fault: undefined })
  const [isOn, setOn] = useState(false)
  usePolling(isOn, query, cursor, take, () => setOn(false))

  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {canFollow && (
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 noscript:hidden">
          <Button size="small" onClick={() => setOn(!isOn)}>
            <span
              aria-hidden="true"
              className={`size-2 rounded-full ${isOn ? 'bg-good motion-safe:animate-pulse' : 'bg-edge'}`}
            />
            {isOn ? 'Pause' : 'Follow live'}
          </Button>
          <span role="status" className="text-sm text-quiet">
            {isOn && shown.added === 0 && 'Waiting for requests…'}
            {shown.added > 0 && `${shown.added} new ${shown.added === 1 ? 'request' : 'requests'}`}
          </span>
        </div>
      )}
      {shown.fault && (
        <Notice tone="warn" alert>
          {shown.fault}
        </Notice>
      )}
      {shown.rows.length > 0 ? <LogTable rows={shown.rows} shown={columns} /> : empty}
    </div>
  )
}
