import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES, type resources } from '@/lib/resources/registry'
import { browseOperation } from './browse-records'
import { listTool } from './list-tool'
import { getOperation, listOperation } from './lists'

type Singular = (typeof resources)[ResourceName]['singular']

type RecordOperations = { [Name in ResourceName as `list${Capitalize<Name>}`]: ReturnType<typeof listOperation> } & {
  [Name in Singular as `get${Capitalize<Name>}`]: ReturnType<typeof getOperation>
} & { [Name in ResourceName as `tell${Capitalize<Name>}`]: ReturnType<typeof listTool> } & {
  [Name in ResourceName as `browse${Capitalize<Name>}`]: ReturnType<typeof browseOperation>
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Made of the names that the type is made of; the compiler cannot follow names through a list, hence the one cast. */
function recordOperations(): RecordOperations {
  const entries = RESOURCES.flatMap((resource) => [
    [`list${capitalized(resource.name)}`, listOperation(resource)],
    [`get${capitalized(resource.singular)}`, getOperation(resource)],
    [`tell${capitalized(resource.name)}`, listTool(resource)],
    [`browse${capitalized(resource.name)}`, browseOperation(resource)],
  ])
  return Object.fromEntries(entries) as RecordOperations
}

/**
 * What each resource is read by: `listInvoices`, `getInvoice`, `browseInvoices`, and so on. Route files of records import this and not the
 * registry, so that a function of the platform starts without all other operations.
 */
export const records = recordOperations()
