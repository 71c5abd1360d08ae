import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** GET /health */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.getHealth)
