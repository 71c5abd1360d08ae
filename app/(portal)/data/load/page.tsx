import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { Notice } from '@/app/ui/notice'
import { MEGABYTE, UPLOAD } from '@/lib/core/uploads'
import { FILES } from '@/lib/load/kinds'
import { labelOf, MAPPED, OWNERS, TARGETS } from '@/lib/load/mapping/fields'
import { execute } from '@/lib/operations/execute'
import { loadUpload } from '@/lib/operations/loads/load-folder'
import { getLastLoad } from '@/lib/operations/loads/undo-load'
import { findBegun } from './begun'
import { Country } from './country'
import { LastLoad } from './last-load'
import { Loader } from './loader.client'
import { PlainLoader } from './plain.client'
import { Samples } from './samples'
import { SentFiles } from './sent'

export const metadata: Metadata = { title: 'Load files' }

/** The fields that a column can fill, for the menus. */
const GROUPS = MAPPED.map((resource) => ({
  owner: OWNERS[resource],
  fields: TARGETS.filter((target) => target.resource === resource).map((target) => ({
    field: target.field,
    label: labelOf(target),
  })),
}))

type Props = { searchParams: Promise<{ draft?: string | string[] }> }

export default async function LoadPage({ searchParams }: Props) {
  const { actor, current } = await requireActor(loadUpload)
  const { begun, gone } = await findBegun(actor, (await searchParams).draft)
  const loads = await execute(getLastLoad, { actor, now: new Date() }, {})
  const takenBack = loads.last?.state === 'taken_back' ? loads.last.load : undefined
  return (
    <>
      <PageHead
        title="Load files"
        text={`Load what your office software exports, or a sheet of your own, into ${current.name}. You see what each file is taken for and what would change before anything is written. Loading the same file again changes nothing.`}
        actions={
          <>
            <LinkButton href="/data/quickbooks">QuickBooks Online</LinkButton>
            <LinkButton href="/data/sources">Scheduled loads</LinkButton>
          </>
        }
      />
      {gone !== undefined && (
        <Notice tone="warn">
          <p>{gone}</p>
        </Notice>
      )}
      <noscript>
        <PlainLoader contractorId={current.contractorId} names={FILES} groups={GROUPS} />
      </noscript>
      <div className="noscript:hidden">
        <Loader contractorId={current.contractorId} groups={GROUPS} begun={begun} takenBack={takenBack} />
      </div>
      <div className="grid items-start gap-x-12 *:min-w-0 xl:grid-cols-2">
        <div>
          <LastLoad contractorId={current.contractorId} loads={loads} />
          <Samples />
          <SentFiles actor={actor} />
        </div>
        <div>
          <Country actor={actor} />
          <section aria-labelledby="limits" className="mt-8 grid max-w-prose gap-3">
            <h2 id="limits">File requirements</h2>
            <p>
              {`A file is recognized by its columns; a sheet with other columns is mapped once, and the next one of its kind by itself. Files that are dropped together are loaded together. They are held for a day. A file can be up to ${UPLOAD.maxBytes / MEGABYTE} MB on your own server. On Vercel the platform takes 4.5 MB in a request and no more; load larger files there with the command.`}
            </p>
            <CodeBlock
              label="Command"
              language="shell"
              code={`npm run plumbline -- load --contractor ${current.contractorId} <folder>`}
            />
          </section>
        </div>
      </div>
    </>
  )
}
