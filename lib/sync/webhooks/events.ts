import { identifierOf, RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'

/** Types of events and the resource each is about: what the changes feed calls `invoices` `updated` is `invoice.updated`. */
const TYPES: readonly (readonly [string, ResourceName])[] = RESOURCES.flatMap((resource) =>
  ['created', 'updated', ...(resource.turnsAt ? ['turned'] : []), 'deleted'].map(
    (change) => [`${identifierOf(resource.singular)}.${change}`, resource.name] as const,
  ),
)

const RESOURCE_OF = new Map(TYPES)

/** The types that an endpoint can take, in the order of documents. */
export const EVENT_TYPES: readonly string[] = TYPES.map(([type]) => type)

/** The type of a test, which no endpoint has to take. */
export const TEST_TYPE = 'webhook.test'

const SINGULARS = new Map<string, string>(RESOURCES.map(({ name, singular }) => [name, identifierOf(singular)]))

/** The type of a change of the feed. */
export const typeOf = ({ resource, change }: { resource: string; change: string }): string =>
  `${SINGULARS.get(resource)}.${change}`

/** The resources that some types are about. */
export const resourcesOf = (types: readonly string[]): ResourceName[] =>
  RESOURCE_NAMES.filter((name) => types.some((type) => RESOURCE_OF.get(type) === name))
