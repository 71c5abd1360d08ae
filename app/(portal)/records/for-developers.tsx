import { CodeBlock } from '@/app/ui/code-block'
import { Disclosure } from '@/app/ui/disclosure'
import { Id } from '@/app/ui/id.client'
import { cleanAnswer } from '@/lib/core/clean'
import { dataCurl } from './curl'

/** A record’s id, the request for it, and what the page was made of. */
export const ForDevelopers = ({ path, id, found }: { path: string; id: string; found: Record<string, unknown> }) => (
  <Disclosure className="mt-8">
    <p>
      ID: <Id id={id} />
    </p>
    <CodeBlock label="Request" language="shell" code={dataCurl(`${path}/${id}`)} />
    <CodeBlock label="JSON" language="json" code={JSON.stringify(cleanAnswer(found), null, 2)} />
  </Disclosure>
)
