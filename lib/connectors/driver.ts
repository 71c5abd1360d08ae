import { shared } from '@/lib/core/shared'

/** The driver that runs connectors in this process. `kick` begins a run soon; absent where nothing does. */
export type ConnectorDriver = {
  running?: Promise<void> | undefined
  kick?: () => void
}

/** The driver of this process. In a file of its own, so that whoever asks for a run does not load what runs. */
export const connectorDriver = shared<ConnectorDriver>('connectorDriver', () => ({}))

/** Notes that a connection is due: somebody connected, or a webhook came. */
export const kickConnectors = (): void => connectorDriver().kick?.()
