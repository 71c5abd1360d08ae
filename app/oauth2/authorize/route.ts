import { routeOf } from '@/lib/http/endpoint'
import { oauthSteps } from '@/lib/http/oauth/steps'

/** /oauth2/authorize */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(oauthSteps.authorize)
