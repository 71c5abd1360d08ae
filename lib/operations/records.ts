import type { ResourceName } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
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

const listName = ({ name }: Resource) => `list${capitalized(name)}`
const getName = ({ singular }: Resource) => `get${capitalized(singular)}`

/** Gives an object a property that is made when it is first read: an operation has a dozen schemas, and a request needs one of many. */
function defineLate(target: object, name: string, make: () => object): void {
  const get = () => {
    const value = make()
    Object.defineProperty(target, name, { value, enumerable: true })
    return value
  }
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true })
}

/** Made of the names that the type is made of; the compiler cannot follow names through a list, hence the one cast. */
function recordOperations(): RecordOperations {
  const all = {}
  for (const resource of RESOURCES) {
    defineLate(all, listName(resource), () => listOperation(resource))
    defineLate(all, getName(resource), () => getOperation(resource))
    defineLate(all, `tell${capitalized(resource.name)}`, () => listTool(resource))
    defineLate(all, `browse${capitalized(resource.name)}`, () => browseOperation(resource))
  }
  return all as RecordOperations
}

/**
 * What each resource is read by: `listInvoices`, `getInvoice`, `browseInvoices`, and so on. Route files of records import this and not the
 * registry, so that a function of the platform starts without all other operations.
 */
export const records = recordOperations()

type ReadOperation = ReturnType<typeof listOperation> | ReturnType<typeof getOperation>

/** The paths of lists and single records below the API's, each with what gives its operation. */
export const RECORD_PATHS: readonly { path: string; operation: () => ReadOperation }[] = RESOURCES.flatMap(
  (resource) => [
    { path: `/${resource.name}`, operation: () => Reflect.get(records, listName(resource)) },
    { path: `/${resource.name}/{id}`, operation: () => Reflect.get(records, getName(resource)) },
  ],
)
