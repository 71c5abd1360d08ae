import type { Metadata } from 'next'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { SERVICE } from '@/lib/core/service'
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
      <PageHead
        title="Swagger UI"
        text="The same OpenAPI document in Swagger UI."
        actions={
          <LinkButton size="small" href="/developers/api">
            API explorer
          </LinkButton>
        }
      />
      <Swagger issuer={issuer} relayHost={relayHost()} />
    </>
  )
}
