import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { UPLOAD } from '@/lib/core/uploads'
import { FILES } from '@/lib/load/load'
import { loadUpload } from '@/lib/operations/loads/load-upload'
import { Loader } from './loader.client'

export const metadata: Metadata = { title: 'Load CSV files' }

const MEGABYTE = 1024 * 1024

export default async function LoadPage() {
  const { current } = await requireActor(loadUpload)
  return (
    <>
      <PageHead
        title="Load CSV files"
        text={`The files your office software exports, into ${current.name}. A second load of the same file changes nothing; a changed row is an update; a row that cannot be used is named, and the rest goes on.`}
        actions={<LinkButton href="/data">To the data</LinkButton>}
      />
      <noscript>
        <p className="mb-4">Uploading needs JavaScript. Without it, use the command below.</p>
      </noscript>
      <Loader contractorId={current.contractorId} names={FILES} />
      <section aria-labelledby="limits" className="mt-8 grid max-w-prose gap-3">
        <h2 id="limits">What is taken</h2>
        <p>
          {`Files are recognized by name: ${FILES.join(', ')}. Choose any of them; they are loaded in this order, since each names rows of those before it. A file may have ${UPLOAD.maxBytes / MEGABYTE} MB on a machine of your own. On Vercel the platform takes 4.5 MB in a request and no more; load larger files there with the command.`}
        </p>
        <CodeBlock
          label="Command"
          language="shell"
          code={`npm run plumbline -- load --contractor ${current.contractorId} <folder>`}
        />
      </section>
    </>
  )
}
