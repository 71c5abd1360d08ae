import { route } from '@/lib/http/rest/route'
import { getLoad } from '@/lib/operations/loads/list-loads'
import { loadFile } from '@/lib/operations/loads/load-file'

/** GET /v1/loads/{id}, PUT /v1/loads/{file} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getLoad, loadFile)
