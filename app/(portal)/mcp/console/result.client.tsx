'use client'

import { useEffect, useRef } from 'react'
import { CodeBlock } from '@/app/ui/code-block'
import { CopyButton } from '@/app/ui/copy.client'
import { DataTable } from '@/app/ui/data-table'
import { Facts } from '@/app/ui/facts'
import { Notice } from '@/app/ui/notice'
import { Tabs } from '@/app/ui/tabs.client'
import { type AnswerList, answerCell, listOf } from '@/lib/portal/answer-list'
import { type Call, outcomeWord } from '@/lib/portal/calls'
import { curlOf } from '@/lib/portal/curl'
import { type Exchange, limitOf } from '@/lib/portal/exchange'
import { indented, pretty, visible } from '@/lib/portal/json'
import { Code } from './code.client'
import { Fault } from './fault.client'

/** The duration of a call, and what is left of the rate limit according to the response headers. */
function Measures({ exchange }: { exchange: Exchange }) {
  const limit = limitOf(exchange.headers)
  const left = limit && `${limit.remaining} of ${limit.limit} left, until ${limit.resetAt.toLocaleTimeString()}`
  return (
    <Facts
      facts={[
        ['Time', `${exchange.ms.toFixed(exchange.ms < 10 ? 1 : 0)} ms`],
        ['Status', `${exchange.status} ${exchange.statusText}`],
        ...(left ? [['Limit', left] satisfies [string, string]] : []),
      ]}
    />
  )
}

const HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'mcp-session-id',
  'x-request-id',
]

function Raw({ exchange }: { exchange: Exchange }) {
  const headers = HEADERS.flatMap((name) => (exchange.headers[name] ? [`${name}: ${exchange.headers[name]}`] : []))
  return (
    <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
      <div>
        <h5>Request</h5>
        <Code label="JSON-RPC request" text={indented(exchange.requestBody)} />
      </div>
      <div>
        <h5>Response</h5>
        <Code label="JSON-RPC response" text={indented(exchange.body)} />
      </div>
      {headers.length > 0 && (
        <div className="md:col-span-full">
          <h5>Response headers</h5>
          <Code label="Response headers" text={visible(headers.join('\n'))} />
        </div>
      )}
    </div>
  )
}

/** The length above which results have no syntax colors, so that they do not slow the browser down. */
const COLORED = 60_000

const coloredIfShort = (code: string) => ({
  code,
  language: code.length > COLORED ? ('text' as const) : ('json' as const),
})

/** A list as a table. Narrow windows show its first columns, and the JSON has everything. */
const Listed = ({ list: { columns, rows } }: { list: AnswerList }) => (
  <DataTable
    caption="Result"
    columns={columns.map((name, at) => ({
      name,
      head: visible(name),
      kind: 'text' as const,
      rank: at < 3 ? (1 as const) : at < 5 ? (2 as const) : (3 as const),
      value: (row: AnswerList['rows'][number]) => answerCell(row[name]),
    }))}
    rows={rows}
    rowKey={(row) => String(rows.indexOf(row))}
  />
)

/** Returns the tabs of a result, the most readable first; an error has only text. */
function tabsOf({ outcome, exchange }: Call) {
  const result = 'result' in outcome ? outcome.result : undefined
  const text = result && (
    <Code label="Result as text" text={result.texts.map(visible).join('\n\n') || 'The result has no text.'} wrapping />
  )
  const structured = result?.structured !== undefined && (
    <CodeBlock label="Structured result" {...coloredIfShort(pretty(result.structured))} />
  )
  const list = listOf(result?.structured)
  return [
    ...(list ? [{ id: 'table', name: 'Table', content: <Listed list={list} /> }] : []),
    ...(structured ? [{ id: 'structured', name: 'JSON', content: structured }] : []),
    ...(text ? [{ id: 'text', name: 'Text', content: text }] : []),
    ...(exchange ? [{ id: 'raw', name: 'Raw JSON-RPC', content: <Raw exchange={exchange} /> }] : []),
  ]
}

/** The result of a call. Everything from the server is shown as text, never as HTML. */
export function Result({ call, secret }: { call: Call; secret: string }) {
  const { exchange, outcome } = call
  const place = useRef<HTMLElement>(null)
  // Scrolls the result into view, because a long form may leave it below the window.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={place} className="grid scroll-my-4 gap-3 *:min-w-0" aria-labelledby="result-title">
      <h4 id="result-title">
        Result <span className="font-normal text-quiet">{outcomeWord(call)}</span>
      </h4>
      {'fault' in outcome && <Fault explanation={outcome.fault} />}
      {'result' in outcome && outcome.result.isError && (
        <Notice tone="danger" title="The tool answered with an error.">
          The error is below; fix the arguments and call again.
        </Notice>
      )}
      {exchange && <Measures exchange={exchange} />}
      <div>
        <Tabs label="Result" tabs={tabsOf(call)} />
      </div>
      {exchange && <CopyButton label="Copy as curl" text={curlOf(exchange, secret)} />}
    </section>
  )
}
