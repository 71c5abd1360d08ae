import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import { customers } from './customers'
import type { Resource } from './define'
import { estimates } from './estimates'
import { invoices } from './invoices'
import { payments } from './payments'
import { projects } from './projects'

/** The resources of the data API by name. */
export const resources = { customers, projects, invoices, payments, estimates } satisfies Record<ResourceName, Resource>

/** The same, in the order in which documents list them. */
export const RESOURCES: readonly Resource[] = RESOURCE_NAMES.map((name) => resources[name])

/** Returns the resource with this singular name. @throws Error when there is none, because only our own code passes names */
export function resourceCalled(singular: string): Resource {
  const found = RESOURCES.find((resource) => resource.singular === singular)
  if (!found) throw new Error(`no resource is called ${singular}`)
  return found
}

/** The filters that some list takes, by name. */
export const FILTER_NAMES: readonly string[] = [...new Set(RESOURCES.flatMap(({ filters }) => Object.keys(filters)))]
