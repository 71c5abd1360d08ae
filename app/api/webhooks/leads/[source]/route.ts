import { route } from '@/lib/http/rest/route'
import { receiveLead } from '@/lib/operations/receive-lead'

/** POST /webhooks/leads/{source} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(receiveLead)
