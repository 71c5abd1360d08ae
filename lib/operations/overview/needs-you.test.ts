import { expect, test } from 'vitest'
import { listLeadDeliveries } from '../deliveries'
import { listKeys } from '../keys/list-keys'
import { inspectDraft } from '../loads/draft'
import { listWebhooks } from '../webhooks/list-webhooks'
import { ACCESS } from './needs-you'

test('what waits is told to those whom the operation of its page would answer', () => {
  expect(ACCESS).toEqual({
    refused_leads: listLeadDeliveries.access,
    failing_webhooks: listWebhooks.access,
    held_loads: inspectDraft.access,
    ending_keys: listKeys.access,
  })
})
