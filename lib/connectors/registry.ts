import type { Connector, ConnectorName } from './connector'
import { quickbooks } from './quickbooks/quickbooks'

/** The connectors by name. The next one is a folder beside `quickbooks`, and a line here. */
export const CONNECTORS: Record<ConnectorName, Connector> = { quickbooks }

/** Reports whether people can connect this software here: everything that it needs is set. */
export const isOffered = (connector: Connector): boolean => connector.missing().length === 0
