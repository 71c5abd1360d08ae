import type { ResourceName } from '@/lib/core/resource-names'

/** Returns the page of a record. */
export const recordHref = (resource: ResourceName, id: string): string => `/${resource}/${encodeURIComponent(id)}`
