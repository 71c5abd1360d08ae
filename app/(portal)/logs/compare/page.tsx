import type { Metadata } from 'next'
import { parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { Notice } from '@/app/ui/notice'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { getRequest } from '@/lib/operations/requests/log'
import { type Difference, differences } from './differences'

export const metadata: Metadata = { title: 'Compare requests' }

async function read(actor: PersonActor, id: string | undefined) {
  if (!id) return { fault: 'Two request ids are required. Open a request in the log and compare it from there.' }
  try {
    const whole = id.startsWith('req_') ? id : `req_${id}`
    return { found: await execute(getRequest, { actor, now: new Date() }, { id: whole.toLowerCase() }) }
  } catch (error) {
    if (error instanceof ServiceError && /^(not_found|bad_request)$/.test(error.code))
      return { fault: `${cleanText(id.slice(0, 60))}: ${error.message}` }
    throw error
  }
}

const value = (text: string, differs: boolean) => (
  <span className={differs ? 'font-mono text-sm font-semibold' : 'font-mono text-sm text-quiet'}>
    {cleanText(text)}
  </span>
)

export default async function ComparePage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await requireActor(getRequest)
  const { a, b } = await parametersOf(searchParams, ['a', 'b'])
  const [one, other] = await Promise.all([read(actor, a), read(actor, b)])
  const rows = one.found && other.found ? differences(one.found, other.found) : []
  return (
    <>
      <PageHead
        under={[
          { name: 'Logs', href: '/logs' },
          ...(other.found ? [{ name: 'Request', href: `/logs/${other.found.id}` }] : []),
        ]}
        title="Compare requests"
        text="Differences are in bold. Bodies are not stored, so they are not compared."
      />
      {[one, other].flatMap(({ fault }) =>
        fault
          ? [
              <Notice key={fault} tone="danger" alert>
                {fault}
              </Notice>,
            ]
          : [],
      )}
      {one.found && other.found && (
        <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
          <a href={`/logs/${one.found.id}`}>Open the first request</a>
          <a href={`/logs/${other.found.id}`}>Open the second request</a>
        </p>
      )}
      {rows.length > 0 && (
        <DataTable<Difference>
          caption="Two requests"
          rows={rows}
          rowKey={({ name }) => name}
          columns={[
            {
              name: 'name',
              head: 'Fact',
              kind: 'parts',
              width: '@xl:w-36',
              parts: ({ name, differs }) => (
                <>
                  {cleanText(name)}
                  {differs && <span className="sr-only"> (differs)</span>}
                </>
              ),
            },
            {
              name: 'a',
              head: 'First request',
              kind: 'parts',
              parts: (row) => value(row.a, row.differs),
            },
            {
              name: 'b',
              head: 'Second request',
              kind: 'parts',
              parts: (row) => value(row.b, row.differs),
            },
          ]}
        />
      )}
    </>
  )
}
