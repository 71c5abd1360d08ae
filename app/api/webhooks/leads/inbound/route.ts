import { route } from '@/lib/http/rest/route'
import { createLead } from '@/lib/operations/create-lead'

/** POST /webhooks/leads/inbound */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(createLead)
