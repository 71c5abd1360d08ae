import { Badge, statusTone } from '@/app/ui/badge'
import { CodeBlock } from '@/app/ui/code-block'
import { InCode } from '@/app/ui/in-code'
import type { FieldLine } from '@/lib/http/openapi/field-lines'
import type { ReferenceAnswer } from '@/lib/http/openapi/reference'

const INDENT = ['', 'ms-4', 'ms-8', 'ms-12']

/** Lists the fields of a body or response, nested ones indented. Request bodies also show which are required. */
export function Fields({ fields, isBody = false }: { fields: FieldLine[]; isBody?: boolean }) {
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
export function Answers({ answers }: { answers: ReferenceAnswer[] }) {
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
