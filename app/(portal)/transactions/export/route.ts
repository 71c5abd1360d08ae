import { browseTransactions } from '@/lib/operations/browse-transactions'
import { fileOf } from '../../records/export'
import { TRANSACTIONS } from '../list'

/** GET /transactions/export: what the list finds with the same parameters, as a CSV file. */
export const GET = fileOf(
  { name: 'transactions', operation: browseTransactions, order: '-date' },
  () => TRANSACTIONS.columns,
)
