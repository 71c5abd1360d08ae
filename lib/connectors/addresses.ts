import { baseUrls, env } from '@/lib/core/env'
import type { ConnectorName } from './connector'

/** Where a vendor sends a person back to: a page of the portal. */
export const callbackOf = (name: ConnectorName): string => `${baseUrls(env()).portal}/data/${name}/callback`

/** Where a vendor posts that something changed. */
export const webhookOf = (name: ConnectorName): string => `${baseUrls(env()).api}/api/webhooks/${name}`
