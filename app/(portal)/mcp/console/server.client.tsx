'use client'

import { Facts } from '@/app/ui/facts'
import type { ServerFacts } from '@/lib/portal/connection'
import { visible } from '@/lib/portal/json'

/** The facts that the server reported about itself. */
export function Server({ facts: { name, version, protocol, sessionId, instructions } }: { facts: ServerFacts }) {
  return (
    <section aria-labelledby="server-title">
      <h2 id="server-title" className="mb-3">
        Server
      </h2>
      <Facts
        facts={[
          ['Name', `${visible(name)} ${version}`],
          ['Protocol', protocol],
          ['Session', sessionId ? <code key="id">{sessionId}</code> : 'none; each request is independent'],
        ]}
      />
      {instructions && (
        <details>
          <summary className="w-fit">Instructions for the agent</summary>
          <p className="prose mt-2 max-w-2xl whitespace-pre-wrap">{visible(instructions)}</p>
        </details>
      )}
    </section>
  )
}
