import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { LinkTabs } from '@/app/ui/link-tabs'

/** The head of the explorer, with its two views of the same document. */
export const ExplorerHead = ({ view }: { view: 'reference' | 'swagger' }) => (
  <>
    <PageHead
      title="API explorer"
      text="Every endpoint, its parameters and responses. Send a request and see the live response."
      actions={
        <LinkButton size="small" href="/api/v1/openapi">
          OpenAPI document
        </LinkButton>
      }
    />
    <LinkTabs
      label="Views"
      tabs={[
        { name: 'Reference', href: '/developers/api', isCurrent: view === 'reference' },
        { name: 'Swagger UI', href: '/developers/api/swagger', isCurrent: view === 'swagger' },
      ]}
    />
  </>
)
