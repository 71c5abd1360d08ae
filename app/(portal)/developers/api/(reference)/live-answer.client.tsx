'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Badge, statusTone } from '@/app/ui/badge'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import type { Came } from '@/lib/portal/api-call'
import { limitOf } from '@/lib/portal/exchange'
import { indented } from '@/lib/portal/json'

/** Longer answers are shown without color, so that a page of a hundred records does not hold the browser up. */
const COLORED = 60_000

type Props = { came: Came | { fault: string } | undefined; logs: string | undefined }

/** The request's id, leading to its place in the log for who may see that. */
function RequestId({ id, logs }: { id: string; logs: string | undefined }) {
  const shown = <code className="font-mono text-sm">{id}</code>
  return logs ? <a href={logs + id}>{shown}</a> : shown
}

function factsOf({ headers, ms, text }: Came, logs: string | undefined): [string, ReactNode][] {
  const limit = limitOf(headers)
  const requestId = headers['x-request-id']
  return [
    ['Time', `${Math.round(ms)} ms`],
    ['Size', `${new TextEncoder().encode(text).length.toLocaleString('en-US')} bytes`],
    ...(limit ? [['Rate limit', `${limit.remaining} of ${limit.limit} left`] satisfies [string, string]] : []),
    ...(requestId
      ? [['Request', <RequestId key="id" id={requestId} logs={logs} />] satisfies [string, ReactNode]]
      : []),
  ]
}

/** What came back of a request, with its status read out. */
export function LiveAnswer({ came, logs }: Props) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (came) place.current?.scrollIntoView({ block: 'nearest' })
  }, [came])
  const said = came && 'status' in came ? `Response: ${came.status} in ${Math.round(came.ms)} milliseconds.` : ''
  return (
    <section ref={place} aria-labelledby="answer-title" className="scroll-my-4">
      <p role="status" className="sr-only">
        {said}
      </p>
      <h3 id="answer-title" className="mb-2 flex items-baseline gap-3">
        Response {came && 'status' in came && <Badge tone={statusTone(came.status)}>{came.status}</Badge>}
      </h3>
      {!came && <p className="text-quiet">Send the request to see the live answer here.</p>}
      {came && 'fault' in came && (
        <Notice tone="bad" alert>
          <p>{came.fault}</p>
        </Notice>
      )}
      {came && 'status' in came && (
        <>
          <Facts facts={factsOf(came, logs)} />
          <CodeBlock
            label="Response body"
            language={came.text.length > COLORED ? 'text' : 'json'}
            code={indented(came.text)}
          />
        </>
      )}
    </section>
  )
}
