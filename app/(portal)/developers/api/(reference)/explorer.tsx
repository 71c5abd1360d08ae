import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { parametersOf, type SearchParams } from '@/app/query'
import { Badge, statusTone } from '@/app/ui/badge'
import { classes } from '@/app/ui/classes'
import { CodeBlock } from '@/app/ui/code-block'
import { InCode } from '@/app/ui/in-code'
import type { FieldLine } from '@/lib/http/openapi/field-lines'
import {
  apiReference,
  type ReferenceAnswer,
  type ReferenceGroup,
  type ReferenceOperation,
} from '@/lib/http/openapi/reference'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { ExplorerHead } from '../head'
import { reader, relayHost } from '../reader'
import { TryOperation } from './try.client'

const INDENT = ['', 'ms-4', 'ms-8', 'ms-12']

/** Lists the fields of a body or response, nested ones indented. Request bodies also show which are required. */
function Fields({ fields, isBody = false }: { fields: FieldLine[]; isBody?: boolean }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {fields.map(({ name, type, description, required, depth }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several objects may have the same name, and the list does not change.
        <li key={at} className="py-1.5">
          <div className={INDENT[depth]}>
            <code className="font-mono text-sm font-semibold">{name}</code>{' '}
            <span className="text-sm text-quiet">
              {type}
              {isBody && required && ', required'}
            </span>
            {description && (
              <p className="text-sm">
                <InCode text={description} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Lists the responses of an operation: each status with its fields and an example, the first one open. */
function Answers({ answers }: { answers: ReferenceAnswer[] }) {
  return (
    <section aria-labelledby="answers-title" className="grid gap-2">
      <h3 id="answers-title">Responses</h3>
      {answers.map(({ status, description, fields, example }, at) => (
        <details key={status} open={at === 0} className="rounded-lg border border-line bg-raised px-4 py-2.5">
          <summary>
            <Badge tone={statusTone(Number(status))}>{status}</Badge> <InCode text={description} />
          </summary>
          <div className="grid gap-3 py-3 *:min-w-0">
            {fields.length > 0 && <Fields fields={fields} />}
            {example && <CodeBlock label={`Example of ${status}`} language="json" code={example} copy={false} />}
          </div>
        </details>
      ))}
    </section>
  )
}

/** Returns the path of an operation's page. */
const operationPath = (id: string): string => `/developers/api/${id}`

const METHODS: Record<string, string> = { GET: 'text-good', POST: 'text-focus' }

/** Shows an HTTP method in its color. */
function Method({ method }: { method: string }) {
  return <span className={classes('font-mono text-xs font-semibold', METHODS[method])}>{method}</span>
}

/** Lists the operations in groups and marks the current one. */
function Operations({ groups, current }: { groups: ReferenceGroup[]; current: string }) {
  return groups.map(({ name, operations }) => (
    <div key={name} className="mb-4">
      <p className="px-2 pb-1 text-sm text-quiet first-letter:uppercase">{name}</p>
      <ul>
        {operations.map(({ id, title, method }) => (
          <li key={id}>
            <a
              href={operationPath(id)}
              {...(id === current && { 'aria-current': 'page' as const })}
              className="flex items-baseline justify-between gap-2 rounded-md px-2 py-1 text-md text-quiet no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {title} <Method method={method} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}

function About({ operation }: { operation: ReferenceOperation }) {
  const { title, description, method, url } = operation
  return (
    <div className="grid gap-2">
      <h2>{title}</h2>
      <p className="flex items-baseline gap-2">
        <Method method={method} /> <code className="font-mono text-sm wrap-anywhere">{url}</code>
      </p>
      <p className="max-w-prose">
        <InCode text={description} />
      </p>
    </div>
  )
}

/**
 * The explorer with one operation open: a list of the others, its parameters, its request in seven languages, and the live response.
 * @param id the operation's id in the OpenAPI document; unknown ones are 404
 * @param instead the values shown when the URL has none
 */
export async function Explorer(props: { id: string; searchParams: SearchParams; instead?: Record<string, string> }) {
  const { id, searchParams, instead = {} } = props
  const groups = apiReference()
  const operation = groups.flatMap(({ operations }) => operations).find((each) => each.id === id)
  if (!operation) notFound()
  const given = await parametersOf(searchParams, Object.keys(Object(operation.parameters.properties)))
  const { issuer, logs } = await reader()
  const language = languageOf((await cookies()).get(LANGUAGE_COOKIE)?.value)
  const { body } = operation
  return (
    <>
      <ExplorerHead view="reference" />
      <div className="grid gap-8 *:min-w-0 xl:grid-cols-[12.5rem_minmax(0,1fr)]">
        <details className="rounded-lg border border-line bg-raised px-4 py-2.5 xl:hidden">
          <summary>All operations</summary>
          <nav aria-label="All operations" className="pt-3">
            <Operations groups={groups} current={id} />
          </nav>
        </details>
        <nav aria-label="Operations" className="hidden xl:block">
          <Operations groups={groups} current={id} />
        </nav>
        <TryOperation
          key={id}
          call={{ ...operation, bodyType: body?.type }}
          parameters={operation.parameters}
          page={operationPath(id)}
          given={Object.keys(given).length > 0 ? given : instead}
          bodyStart={body?.example ?? ''}
          relayHost={relayHost()}
          language={language}
          issuer={issuer}
          logs={logs}
          about={<About operation={operation} />}
          bodyFields={body && body.fields.length > 0 ? <Fields fields={body.fields} isBody /> : undefined}
          answers={<Answers answers={operation.answers} />}
        />
      </div>
    </>
  )
}
