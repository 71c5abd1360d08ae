import { route } from '@/lib/http/rest/route'
import { checksums } from '@/lib/operations/changes/checksum'

/** GET /v1/projects/checksum */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(checksums.getProjectsChecksum)
