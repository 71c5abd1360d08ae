import { route } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** POST /webhooks/leads/inbound */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(operations.createLead)
