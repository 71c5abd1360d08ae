import { once } from '@/lib/core/later'
import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import type { Operation } from '@/lib/operations/define'
import { type Answerer, type Methods, routeOf } from '../endpoint'
import { answerer, unknownPath } from './route'

/** The resource that a path names, with or without the API's prefix: Next tells a route the address that was asked for, not where it led. */
function resourceIn(url: string, at: number): string {
  const [, path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url) ?? []
  return path.replace(/^\/api\/v1(?=\/)/, '').split('/')[at] ?? ''
}

/**
 * Returns what the route file of all resources exports. A resource's operation is made by the first request for it.
 * @param at which segment below `/api/v1` names the resource, counted from 1
 */
export function routeByResource(operationOf: (name: ResourceName) => Operation, at = 1): Methods {
  const answerers = new Map<string, () => Answerer>(
    RESOURCE_NAMES.map((name) => [name, once(() => answerer(operationOf(name)))]),
  )
  return routeOf((request) => {
    const answer = answerers.get(resourceIn(request.url, at)) ?? (() => unknownPath)
    return answer()(request)
  })
}
