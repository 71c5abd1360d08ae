'use client'

import { LinkButton } from '@/app/ui/button'
import { CopyButton } from '@/app/ui/copy.client'
import { Tabs } from '@/app/ui/tabs.client'
import { type Snippet, signInSnippetsFor, snippetsFor } from '@/lib/portal/snippets'
import { Code } from './code.client'

function Programs({ id, title, label, snippets }: { id: string; title: string; label: string; snippets: Snippet[] }) {
  const tabs = snippets.map(({ id: tab, name, link, steps, code }) => ({
    id: tab,
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
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3">
        {title}
      </h2>
      <Tabs label={label} tabs={tabs} />
    </section>
  )
}

/** Instructions for connecting other programs to this server: by signing in, where people can, and with a key. */
export function Install({ url, signsIn }: { url: string; signsIn: boolean }) {
  return (
    <>
      {signsIn && (
        <Programs
          id="assistants-title"
          title="Connect an assistant by signing in"
          label="Assistants"
          snippets={signInSnippetsFor(url)}
        />
      )}
      <Programs
        id="install-title"
        title={signsIn ? 'Connect your own client with a key' : 'Connect your own client'}
        label="Clients"
        snippets={snippetsFor(url)}
      />
    </>
  )
}
