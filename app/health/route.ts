import { route } from '@/lib/http/rest/route'
import { getHealth } from '@/lib/operations/health'

/** GET /health */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getHealth)
