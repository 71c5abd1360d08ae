'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Badge, statusTone } from '@/app/ui/badge'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import type { ApiResponse } from '@/lib/portal/api-call'
import { limitOf } from '@/lib/portal/exchange'
import { indented } from '@/lib/portal/json'

/** The length above which responses have no syntax colors, so that a page of a hundred records does not slow the browser down. */
const COLORED = 60_000

type Props = { came: ApiResponse | { fault: string } | undefined; logs: string | undefined }

/** Shows the request id, linked to the log for people who may see it. */
function RequestId({ id, logs }: { id: string; logs: string | undefined }) {
  const shown = <code className="font-mono text-sm">{id}</code>
  return logs ? <a href={logs + id}>{shown}</a> : shown
}

function factsOf({ headers, ms, text }: ApiResponse, logs: string | undefined): [string, ReactNode][] {
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

/** Shows the response to a request; screen readers announce its status. */
export function LiveAnswer({ came, logs }: Props) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (came) place.current?.scrollIntoView({ block: 'nearest' })
  }, [came])
  const said = came && 'status' in came ? `Response: ${came.status} in ${Math.round(came.ms)} milliseconds.` : ''
  return (
    <section ref={place} aria-labelledby="answer-title" className="scroll-my-16">
      <p role="status" className="sr-only">
        {said}
      </p>
      <h3 id="answer-title" className="mb-2 flex items-baseline gap-3">
        Response {came && 'status' in came && <Badge tone={statusTone(came.status)}>{came.status}</Badge>}
      </h3>
      {!came && <p className="text-quiet">Send the request to see the response here.</p>}
      {came && 'fault' in came && (
        <Notice tone="danger" alert>
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
