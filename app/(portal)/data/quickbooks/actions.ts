'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { ServiceError } from '@/lib/core/errors'
import { oneLine } from '@/lib/core/text'
import { beginConnector } from '@/lib/operations/connectors/connect'
import { disconnectConnector, syncConnector } from '@/lib/operations/connectors/manage'
import { removeConnectorRecords } from '@/lib/operations/connectors/remove-records'
import { execute } from '@/lib/operations/execute'
import { storeBrowserBinding } from './browser'

const NAME = { connector: 'quickbooks' } as const
const PATH = '/data/quickbooks'

/** Begins to connect: the page then goes to Intuit, which sends back to ./callback. */
export const beginAction = contractorAction(z.object({}), async (actor) => {
  const { url, browser } = await execute(beginConnector, { actor, now: new Date() }, NAME)
  await storeBrowserBinding(browser)
  return { ok: true, data: { url } }
})

export const syncAction = contractorAction(
  z.object({ everything: z.literal('true').optional() }),
  async (actor, { everything }) => {
    await execute(syncConnector, { actor, now: new Date() }, { ...NAME, everything: everything === 'true' })
    revalidatePath(PATH)
    return { ok: true, message: 'It begins in a few seconds.' }
  },
)

export const disconnectAction = contractorAction(z.object({}), async (actor) => {
  const { isRevoked } = await execute(disconnectConnector, { actor, now: new Date() }, NAME)
  revalidatePath(PATH)
  const rest = isRevoked ? '' : ' QuickBooks did not confirm it: remove the app there too, under Apps.'
  return { ok: true, message: `Disconnected.${rest}` }
})

const plain = (name: string) => oneLine(name).toLowerCase()
const count = (n: number) => n.toLocaleString('en-US')

/** Removes what a company brought. The company's name is entered, so that nobody does it by a slip. */
export const removeRecordsAction = contractorAction(
  z.object({ company: z.string(), companyName: z.string(), entered: z.string().trim() }),
  async (actor, { company, companyName, entered }) => {
    if (plain(entered) !== plain(companyName))
      throw new ServiceError('bad_request', 'Nothing was removed.', {
        fields: [{ field: 'entered', message: `Enter ${companyName}` }],
      })
    const { removed, kept, isDone } = await execute(
      removeConnectorRecords,
      { actor, now: new Date() },
      { ...NAME, company },
    )
    revalidatePath(PATH)
    const n = Object.values(removed).reduce((sum, each) => sum + each, 0)
    const stayed = kept > 0 ? ` ${count(kept)} stay, because other records belong to them.` : ''
    const left = isDone ? '' : ' Some are left: remove again.'
    return { ok: true, message: `${count(n)} records were removed.${stayed}${left}` }
  },
)
