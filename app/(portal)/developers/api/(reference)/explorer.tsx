import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { parametersOf, type SearchParams } from '@/app/query'
import { InCode } from '@/app/ui/in-code'
import { apiReference, type ReferenceOperation } from '@/lib/http/openapi/reference'
import { LANGUAGE_COOKIE, languageOf } from '@/lib/portal/language'
import { ExplorerHead } from '../head'
import { reader, relayHost } from '../reader'
import { Answers, Fields } from './answers'
import { Method, Operations, operationPath } from './operations'
import { TryOperation } from './try.client'

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
