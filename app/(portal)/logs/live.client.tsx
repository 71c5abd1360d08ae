'use client'

import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import { askTail, type TailFault } from '@/lib/portal/ask-tail'
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
  /** The rows the page came with. */
  rows: LogRow[]
  /** Where they end: what is newer is asked for. */
  cursor: string
  /** The contractor and the filters of the page. */
  query: string
  /** Whether newer rows belong here: on the first page of a log that has no end. */
  canFollow: boolean
  /** Instead of the table while there are no rows. */
  empty: ReactNode
}

/** Asks for newer rows while `isOn`; `take` gets each answer, `stop` is called when asking again cannot help. */
function usePolling(
  isOn: boolean,
  query: string,
  cursor: string,
  take: (came: Tail | TailFault) => void,
  stop: () => void,
) {
  const place = useRef(cursor)
  /** Shows an answer; when to ask again, if at all. */
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
      // A hidden page does not ask.
      const came = document.hidden ? undefined : await askTail(query, place.current)
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

/** The rows of the log, and newer ones while the reader follows it. Without JavaScript it is the table alone. */
export function LiveLog({ rows, cursor, query, canFollow, empty }: Props) {
  const [shown, take] = useReducer(shownAfter, { rows, added: 0, fault: undefined })
  const [isOn, setOn] = useState(false)
  usePolling(isOn, query, cursor, take, () => setOn(false))

  return (
    <div className="grid min-w-0 gap-3">
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
      {shown.rows.length > 0 ? <LogTable rows={shown.rows} /> : empty}
    </div>
  )
}
