/**
 * The resources of the data API, in the order of the documents. A name is a path, a tag, and the noun of a tool and of a scope. The
 * list is separate from the definitions (lib/resources) for modules that need only names: the middleware, scopes, the browser.
 */
export const RESOURCE_NAMES = ['customers', 'projects', 'invoices', 'payments', 'estimates'] as const
export type ResourceName = (typeof RESOURCE_NAMES)[number]

export type ResourceScope = `read:${ResourceName}`

export const isResourceName = (text: string): text is ResourceName => RESOURCE_NAMES.some((name) => name === text)

/** Returns a name, or its singular, as part of an identifier: the operation `list_change_orders`, the event `change_order.created`. */
export const identifierOf = (text: string): string => text.replace(/[ -]/g, '_')

/** Returns a name as words, for sentences. */
export const inWords = (name: string): string => name.replaceAll('-', ' ')

/** Returns a word with its article: `an invoice`. */
export const withArticle = (singular: string): string => `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`

/** The scope that lets a key read a resource. */
export const scopeOf = (name: ResourceName): ResourceScope => `read:${name}`

/** The resources in a sentence: "customers, projects and invoices". */
export const RESOURCES_IN_WORDS = RESOURCE_NAMES.map(inWords)
  .join(', ')
  .replace(/, ([\w ]+)$/, ' and $1')
