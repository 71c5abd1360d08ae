import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES, type resources } from '@/lib/resources/registry'
import { getOperation, listOperation } from './lists'

type Singular = (typeof resources)[ResourceName]['singular']

type RecordOperations = { [Name in ResourceName as `list${Capitalize<Name>}`]: ReturnType<typeof listOperation> } & {
  [Name in Singular as `get${Capitalize<Name>}`]: ReturnType<typeof getOperation>
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * What each resource is read by: `listInvoices` and `getInvoice`, and so on. Made of the names that the type is made of; the compiler
 * cannot follow names through a list, hence the one cast.
 */
export function recordOperations(): RecordOperations {
  const entries = RESOURCES.flatMap((resource) => [
    [`list${capitalized(resource.name)}`, listOperation(resource)],
    [`get${capitalized(resource.singular)}`, getOperation(resource)],
  ])
  return Object.fromEntries(entries) as RecordOperations
}
