import { route } from '@/lib/http/rest/route'
import { listChanges } from '@/lib/operations/changes/list-changes'

/** GET /v1/changes */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listChanges)
