import { LinkButton } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import { CopyButton } from '@/app/ui/copy.client'
import { signInSnippetsFor } from '@/lib/portal/snippets'

/** How to add each assistant: a link where it has one, otherwise what to do with the address. */
export function AddAssistant({ url }: { url: string }) {
  return (
    <section aria-labelledby="add">
      <h2 id="add" className="mb-1">
        Add an assistant
      </h2>
      <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet">
        There is one address for all of them: <code className="text-ink">{url}</code>{' '}
        <CopyButton text={url} of="address" />
      </p>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {signInSnippetsFor(url).map(({ id, name, link, steps, code }) => (
          <Card key={id} title={name}>
            {link && (
              <p className="mb-3">
                <LinkButton href={link.href}>{link.text}</LinkButton>
              </p>
            )}
            <p className="text-sm text-quiet">{steps}</p>
            {code !== url && (
              <details className="mt-2">
                <summary className="w-fit text-sm">What to paste</summary>
                <pre className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere">
                  <code>{code}</code>
                </pre>
                <CopyButton text={code} of={name} />
              </details>
            )}
          </Card>
        ))}
      </div>
    </section>
  )
}
