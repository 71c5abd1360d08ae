'use client'

import { LinkButton } from '@/app/ui/button'
import { CopyButton } from '@/app/ui/copy.client'
import { Tabs } from '@/app/ui/tabs.client'
import { snippetsFor } from '@/lib/portal/snippets'
import { Code } from './code.client'

/** How to connect other programs to this server. */
export function Install({ url }: { url: string }) {
  const tabs = snippetsFor(url).map(({ id, name, link, steps, code }) => ({
    id,
    name,
    content: (
      <div className="grid gap-3">
        {link && (
          <p>
            <LinkButton look="main" href={link.href}>
              {link.text}
            </LinkButton>
          </p>
        )}
        <p className="max-w-2xl">{steps}</p>
        <Code label={`For ${name}`} text={code} />
        <CopyButton text={code} of={name} />
      </div>
    ),
  }))
  return (
    <section aria-labelledby="install-title">
      <h2 id="install-title" className="mb-3">
        Connect your own client
      </h2>
      <Tabs label="Clients" tabs={tabs} />
    </section>
  )
}
