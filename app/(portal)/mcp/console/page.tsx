import type { Metadata } from 'next'
import { links } from '@/app/links'
import { PageHead } from '@/app/ui/card'
import { consoleRedirect, isOAuthOffered, issuerOf } from '@/lib/auth/oauth/places'
import { READS } from '@/lib/auth/scopes'
import { baseUrls, env } from '@/lib/core/env'
import { CONSOLE_CLIENT, SERVICE } from '@/lib/core/service'
import { safeName } from '@/lib/mcp/tool-names'
import { tools } from '@/lib/mcp/tools'
import { reader } from '../../developers/api/reader'
import { Console } from './console.client'
import { Install } from './install.client'

export const metadata: Metadata = {
  title: 'MCP console',
  description: `Connect to ${SERVICE.name}’s MCP server, see its tools, call them and read the results.`,
}

/** An example for each tool, by its name and by its alias for clients with stricter names. */
const EXAMPLES = Object.fromEntries(
  tools.flatMap(({ name, example }) => [name, safeName(name)].map((each) => [each, example])),
)

export default async function ConsolePage() {
  const settings = env()
  const { mcp } = baseUrls(settings)
  const { issuer } = await reader()
  // Nobody is signed in on the MCP server's own host.
  const elsewhere = settings.hosts.mcp && !issuer ? links().explorer : undefined
  const signIn = isOAuthOffered(settings)
    ? {
        issuer: issuerOf(settings),
        clientId: CONSOLE_CLIENT,
        resource: mcp,
        redirectUri: consoleRedirect(settings),
        scope: READS.join(' '),
      }
    : undefined
  return (
    <>
      <PageHead
        title="MCP console"
        text={
          <>
            Try the tools that agents get, signed in or with a key, in your browser. The server is at{' '}
            <code className="font-mono">{mcp}</code>.
          </>
        }
      />
      <div className="grid gap-8">
        <Console examples={EXAMPLES} issuer={issuer} elsewhere={elsewhere} signIn={signIn} />
        <Install url={mcp} signsIn={signIn !== undefined} />
      </div>
    </>
  )
}
