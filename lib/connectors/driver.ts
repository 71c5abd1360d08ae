import { part } from '@/lib/runtime/runtime'

/** What runs connectors in this process. `kick` begins a run soon; absent where nothing does. */
export type ConnectorDriver = {
  isScheduled?: boolean
  running?: Promise<void> | undefined
  kick?: () => void
}

/** The driver of this process. In a file of its own, so that whoever asks for a run does not load what runs. */
export const connectorDriver = part('connectorDriver', () => ({}))

/** Notes that a connection is due: somebody connected, or a webhook came. */
export const kickConnectors = (): void => connectorDriver().kick?.()
