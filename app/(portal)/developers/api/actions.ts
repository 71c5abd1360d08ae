'use server'

import { z } from 'zod'
import { contractorAction } from '@/app/session/action'
import { issueExplorerKey } from '@/lib/auth/people/explorer-key'

/** Issues a key that reads for an hour, for the explorer; told this once. */
export const issueExplorerKeyAction = contractorAction('developer', z.object({}), async (actor) => ({
  ok: true,
  data: { key: (await issueExplorerKey(actor)).text },
}))
