import { database } from '@/db/client'
import { writeRequests } from '@/db/queries/request-log'
import { linesOf } from './record'
import type { Item } from './request-log'

/** Writes finished requests to the request log. */
export const writeBatch = async (batch: Item[]): Promise<void> => writeRequests(await database(), linesOf(batch))
