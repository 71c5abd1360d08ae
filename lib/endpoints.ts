import { guideEndpoints } from '@/lib/guides/endpoints'
import { httpEndpoints } from '@/lib/http/endpoints'
import { internal } from '@/lib/http/internal'
import { documentEndpoints } from '@/lib/mcp/documents/endpoints'
import { mcpEndpoints } from '@/lib/mcp/endpoints'
import type { Endpoint } from '@/lib/wire/endpoint'

/** Everything that `server.ts` answers itself; a test holds the route files of `app/` to this list. */
export const endpoints: Endpoint[] = [
  ...httpEndpoints,
  ...mcpEndpoints,
  ...documentEndpoints,
  ...guideEndpoints,
  ...Object.values(internal),
]
