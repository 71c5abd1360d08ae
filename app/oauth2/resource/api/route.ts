import { routeOf } from '@/lib/http/endpoint'
import { resourceMetadataOf } from '@/lib/http/oauth/documents'

/** /.well-known/oauth-protected-resource of the data API */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(resourceMetadataOf.api)
