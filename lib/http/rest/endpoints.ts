import { operations } from '@/lib/operations/registry'
import type { Endpoint } from '../endpoint'
import { getOpenapi } from '../openapi/operation'
import { endpointsOf } from './served'

/** The endpoints of the data API and the lead webhook, from the registry. */
export const httpEndpoints: Endpoint[] = endpointsOf([...Object.values(operations), getOpenapi])
