import { PlumblineError } from './errors.js'
import { isResource, type ResourceName } from './types.js'

/**
 * The position of a copy: the feed's cursor that it was begun with or has reached, the resources it covers, and those whose export is not
 * finished. `after` is the last record that is stored; `replaces` says that the copy had records before that export began.
 */
export type Place = {
  cursor: string
  resources: ResourceName[]
  exports: Partial<Record<ResourceName, { after?: string; replaces?: boolean }>>
}

/** A place as the text that a store keeps with the records. */
export const textOf = (place: Place): string => JSON.stringify({ v: 1, ...place })

function fault(): PlumblineError {
  return new PlumblineError({
    what: 'The stored state cannot be read',
    why: 'it is not a text that a batch had as its `state`.',
    next: 'Store the texts unchanged. To begin again, delete the state: records that no longer exist are then removed from the copy.',
  })
}

function exportsOf(value: unknown): Place['exports'] {
  const entries = Object.entries(Object(value)).map(([name, entry]) => {
    if (!isResource(name)) throw fault()
    const { after, replaces } = Object(entry)
    return [name, { ...(typeof after === 'string' && { after }), ...(replaces === true && { replaces }) }]
  })
  return Object.fromEntries(entries)
}

/** Reads what {@link textOf} wrote. @throws PlumblineError when it is something else */
export function placeIn(text: string): Place {
  try {
    const { v, cursor, resources, exports } = Object(JSON.parse(text))
    if (v === 1 && typeof cursor === 'string' && Array.isArray(resources) && resources.every(isResource))
      return { cursor, resources, exports: exportsOf(exports) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw fault()
}
