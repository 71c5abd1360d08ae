'use client'

import { Button } from '@/app/ui/button'
import { Facts } from '@/app/ui/facts'
import type { Connection, ServerFacts } from '@/lib/portal/connection'
import { visible } from '@/lib/portal/json'

/** The facts that the server reported about itself. */
function Server({ facts: { name, version, protocol, sessionId, instructions } }: { facts: ServerFacts }) {
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

type Props = {
  connection: Connection
  secret: string
  isBusy: boolean
  onAgain(): void
  onDisconnect(): void
}

/** An open connection in one line, so that the tools stay visible; details expand on demand. */
export function Connected({ connection, secret, isBusy, onAgain, onDisconnect }: Props) {
  const { mode, facts, tools } = connection
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-5 py-3">
      <details className="min-w-0 flex-[1_1_20rem]">
        <summary className="py-1">
          {secret ? (
            <>
              Connected with the key <code className="font-mono text-sm">…{secret.slice(-4)}</code>
            </>
          ) : (
            'Connected as yourself'
          )}
          : {tools.length === 1 ? '1 tool' : `${tools.length} tools`},{' '}
          {mode === 'sessions' ? 'in a session' : 'without a session'}
        </summary>
        <div className="pt-4">
          <Server facts={facts} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-disabled={isBusy} onClick={() => !isBusy && onAgain()}>
          {isBusy ? 'Connecting…' : 'Connect again'}
        </Button>
        <Button size="small" onClick={onDisconnect}>
          Disconnect
        </Button>
      </div>
    </div>
  )
}
