import type { Metadata } from 'next'
import { SERVICE } from '@/lib/core/service'
import { ExplorerHead } from '../head'
import { reader, relayHost } from '../reader'
import { Swagger } from './swagger.client'

export const metadata: Metadata = {
  title: 'Swagger UI',
  description: `${SERVICE.name}’s API in Swagger UI: every endpoint, ready to try with a key.`,
}

export default async function SwaggerPage() {
  const { issuer } = await reader()
  return (
    <>
      <ExplorerHead view="swagger" />
      <Swagger issuer={issuer} relayHost={relayHost()} />
    </>
  )
}
