import type { ResourceName } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { agent, api } from './audiences'
import { browseOperation } from './browse'
import { type Audience, getOperation, listOperation } from './lists'

type Singular = (typeof resources)[ResourceName]['singular']

type ListFor<A extends Audience> = ReturnType<typeof listOperation<ReturnType<A['output']>>>

type RecordOperations = { [Name in ResourceName as `list${Capitalize<Name>}`]: ListFor<typeof api> } & {
  [Name in Singular as `get${Capitalize<Name>}`]: ReturnType<typeof getOperation>
} & { [Name in ResourceName as `tell${Capitalize<Name>}`]: ListFor<typeof agent> } & {
  [Name in ResourceName as `browse${Capitalize<Name>}`]: ReturnType<typeof browseOperation>
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const listName = ({ name }: Resource, { verb }: Pick<Audience, 'verb'>) => `${verb}${capitalized(name)}`
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

/** Builds the operations from the names that the type is made of; the compiler cannot follow names through a list, hence the one cast. */
function recordOperations(): RecordOperations {
  const all = {}
  for (const resource of RESOURCES) {
    defineLate(all, listName(resource, api), () => listOperation(resource, api))
    defineLate(all, getName(resource), () => getOperation(resource))
    defineLate(all, listName(resource, agent), () => listOperation(resource, agent))
    defineLate(all, `browse${capitalized(resource.name)}`, () => browseOperation(resource))
  }
  return all as RecordOperations
}

/**
 * The operations that read each resource: `listInvoices`, `getInvoice`, `browseInvoices`, and so on. Route files of records import this and
 * not the registry, so that a function of the platform starts without all other operations.
 */
export const records = recordOperations()

type ReadOperation = ListFor<typeof api> | ReturnType<typeof getOperation>

/** Returns the list of a resource. */
export const listOf = (name: ResourceName): ReadOperation => Reflect.get(records, listName(resources[name], api))

/** Returns the list of a resource for people. */
export const browseOf = (name: ResourceName): ReturnType<typeof browseOperation> =>
  Reflect.get(records, `browse${capitalized(name)}`)

/** Returns the operation that reads one record of a resource. */
export const getOf = (name: ResourceName): ReadOperation => Reflect.get(records, getName(resources[name]))
