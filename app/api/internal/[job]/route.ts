import { routeOf } from '@/lib/http/endpoint'
import { answerScheduler } from '@/lib/http/internal'

/** GET /api/internal/{job}: called by the hosting platform's scheduler */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(answerScheduler)
