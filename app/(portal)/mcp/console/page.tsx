import type { Metadata } from 'next'
import { connection } from 'next/server'
import { PageHead } from '@/app/ui/card'
import { baseUrls, env } from '@/lib/core/env'
import { SERVICE } from '@/lib/core/service'
import { Console } from './console.client'
import { Install } from './install.client'

export const metadata: Metadata = {
  title: 'MCP console',
  description: `Connect to ${SERVICE.name}’s MCP server, see its tools, call them and read the answers.`,
}

export default async function ConsolePage() {
  await connection()
  const { mcp } = baseUrls(env())
  return (
    <>
      <PageHead
        title="MCP console"
        text={
          <>
            Try the tools that agents get, with your own key, in your browser. The server is at{' '}
            <code className="font-mono">{mcp}</code>.
          </>
        }
      />
      <div className="grid gap-8">
        <Console />
        <Install url={mcp} />
      </div>
    </>
  )
}
