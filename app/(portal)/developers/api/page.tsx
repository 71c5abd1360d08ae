import type { Metadata } from 'next'
import { connection } from 'next/server'
import { actorFor, currentSession } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Tabs } from '@/app/ui/tabs.client'
import { baseUrls, env } from '@/lib/core/env'
import { SERVICE } from '@/lib/core/service'
import { mayRun } from '@/lib/operations/access'
import { issueExplorerKey } from '@/lib/operations/keys/issue-explorer-key'
import { issueExplorerKeyAction } from './actions'
import { Explorer } from './explorer.client'
import { samplesFor } from './samples'

export const metadata: Metadata = {
  title: 'API explorer',
  description: `Every endpoint of ${SERVICE.name}’s API, its parameters and answers; try them with a key.`,
}

/** Who may try the API with a key made for that; on the data API's own host nobody is signed in, and keys are pasted. */
async function issuerFor() {
  const session = await currentSession()
  if (!session?.current || !mayRun(issueExplorerKey, await actorFor(session, session.current))) return undefined
  return { contractorId: session.current.contractorId, issue: issueExplorerKeyAction }
}

export default async function ExplorerPage() {
  await connection()
  const issuer = await issuerFor()
  const urls = baseUrls(env())
  const base = `${urls.api}${urls.apiPrefix}`
  const tabs = samplesFor(base).map(({ id, name, language, code }) => ({
    id,
    name,
    content: <CodeBlock label={`Sample in ${name}`} language={language} code={code} />,
  }))
  return (
    <>
      <PageHead
        title="API explorer"
        text={
          <>
            Every endpoint, its parameters and answers. Requests go to <code className="font-mono">{base}</code> with
            your key; each answer comes with the same request in curl, TypeScript and Python.
          </>
        }
      />
      <section aria-labelledby="sample-title" className="mb-8">
        <h2 id="sample-title" className="mb-2">
          Get overdue invoices from your code
        </h2>
        <Tabs label="Languages" tabs={tabs} />
      </section>
      <Explorer {...(issuer && { issuer })} />
    </>
  )
}
