import type { Endpoint } from '@/lib/http/endpoint'
import { internal } from '@/lib/http/internal'
import { metricsEndpoint } from '@/lib/http/metrics'
import { httpEndpoints } from '@/lib/http/rest/endpoints'
import { documentEndpoints } from '@/lib/mcp/documents/endpoints'
import { mcpEndpoints } from '@/lib/mcp/endpoints'
import { siteEndpoints } from '@/lib/site/endpoints'

/** Everything that `server.ts` answers itself; a test holds the route files of `app/` to this list. */
export const endpoints: Endpoint[] = [
  ...httpEndpoints,
  metricsEndpoint,
  ...mcpEndpoints,
  ...documentEndpoints,
  ...siteEndpoints,
  ...Object.values(internal),
]
