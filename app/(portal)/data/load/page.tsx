import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { UPLOAD } from '@/lib/core/uploads'
import { FILES } from '@/lib/load/load'
import { loadUpload } from '@/lib/operations/loads/load-upload'
import { Loader } from './loader.client'
import { PlainLoader } from './plain.client'
import { SentFiles } from './sent'

export const metadata: Metadata = { title: 'Load CSV files' }

const MEGABYTE = 1024 * 1024

export default async function LoadPage() {
  const { actor, current } = await requireActor(loadUpload)
  return (
    <>
      <PageHead
        title="Load CSV files"
        text={`Load the files that your office software exports into ${current.name}. Loading the same file again changes nothing, and a changed row is an update. A row that cannot be used is reported, and the others are loaded.`}
        actions={<LinkButton href="/data">To the data</LinkButton>}
      />
      <noscript>
        <PlainLoader contractorId={current.contractorId} names={FILES} />
      </noscript>
      <div className="noscript:hidden">
        <Loader contractorId={current.contractorId} names={FILES} />
      </div>
      <section aria-labelledby="limits" className="mt-8 grid max-w-prose gap-3">
        <h2 id="limits">File requirements</h2>
        <p>
          {`Files are recognized by name: ${FILES.join(', ')}. Choose any of them; they are loaded in this order, because each refers to earlier ones. A file can be up to ${UPLOAD.maxBytes / MEGABYTE} MB on your own server. On Vercel the platform takes 4.5 MB in a request and no more; load larger files there with the command.`}
        </p>
        <CodeBlock
          label="Command"
          language="shell"
          code={`npm run plumbline -- load --contractor ${current.contractorId} <folder>`}
        />
      </section>
      <SentFiles actor={actor} />
    </>
  )
}
