'use server'

import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { issueExplorerKey } from '@/lib/operations/keys/issue-explorer-key'

/** Creates a key for the explorer that can read for an hour. Its secret is shown only once. */
export const issueExplorerKeyAction = contractorAction(z.object({}), async (actor) => ({
  ok: true,
  data: { key: (await execute(issueExplorerKey, { actor, now: new Date() }, {})).secret },
}))
