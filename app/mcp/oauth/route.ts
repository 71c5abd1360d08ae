import { routeOf } from '@/lib/http/endpoint'
import { noOAuth } from '@/lib/mcp/oauth'

/** /.well-known/oauth-protected-resource, /register, and the other addresses of an authorization server */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(noOAuth)
