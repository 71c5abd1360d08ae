import { shared } from '@/lib/core/shared'

/** The driver of webhooks in this process. `kick` sends soon what a write has caused; absent where nothing does. */
export type WebhookDriver = {
  running?: Promise<void> | undefined
  /** True when something was written since the run that is under way began to look. */
  isAsked?: boolean
  kick?: () => void
}

/** The driver of this process. In a file of its own, so that whoever writes does not load what sends. */
export const webhookDriver = shared<WebhookDriver>('webhookDriver', () => ({}))

/** Notes that something was written: its events leave soon rather than with the next turn. */
export const afterWrite = (): void => webhookDriver().kick?.()
