import { routeOf } from '@/lib/http/endpoint'
import { serverMetadata } from '@/lib/http/oauth/documents'

/** /.well-known/oauth-authorization-server and /.well-known/openid-configuration */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(serverMetadata)
