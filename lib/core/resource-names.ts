/**
 * The resources of the data API, in the order in which documents list them. A name is a path, a tag, a tool's noun and a scope's. This
 * list stands apart from what a resource is (lib/resources) for those that know names alone: the middleware, scopes, the browser.
 */
export const RESOURCE_NAMES = ['customers', 'projects', 'invoices', 'payments'] as const
export type ResourceName = (typeof RESOURCE_NAMES)[number]

export type ResourceScope = `read:${ResourceName}`

/** The scope that lets a key read a resource. */
export const scopeOf = (name: ResourceName): ResourceScope => `read:${name}`

/** All of them as part of a sentence: "customers, projects and invoices". */
export const RESOURCES_IN_WORDS = RESOURCE_NAMES.join(', ').replace(/, (\w+)$/, ' and $1')
