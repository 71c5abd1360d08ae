import { env } from '@/lib/core/env'
import type { Connector } from '../connector'
import { changes, companyName, find, page } from './api'
import { notices } from './notices'
import { authorizeUrl, exchange, granted, refresh, revoke } from './oauth'

const DAY_MS = 86_400_000

/**
 * The connector for QuickBooks Online, as Intuit publishes its accounting API (developer.intuit.com): OAuth 2, queries, change data
 * capture, webhooks. It was tried against a server of ours that speaks that protocol, not against Intuit's.
 */
export const quickbooks: Connector = {
  name: 'quickbooks',
  title: 'QuickBooks Online',
  missing: () => {
    const { clientId, clientSecret } = env().quickbooks
    return [
      ...(clientId ? [] : ['QUICKBOOKS_CLIENT_ID']),
      ...(clientSecret ? [] : ['QUICKBOOKS_CLIENT_SECRET']),
      ...(env().tokenSecrets[0] ? [] : ['EXTERNAL_API_TOKEN_SECRET']),
    ]
  },
  environment: () => env().quickbooks.environment,
  authorizeUrl,
  granted,
  exchange,
  refresh,
  revoke,
  companyName,
  resources: ['customers', 'projects', 'invoices', 'payments', 'estimates'],
  kinds: ['Customer', 'Invoice', 'CreditMemo', 'SalesReceipt', 'Estimate', 'Payment', 'RefundReceipt'],
  // Customers and jobs are only made inactive.
  deletable: ['Invoice', 'CreditMemo', 'SalesReceipt', 'Estimate', 'Payment', 'RefundReceipt'],
  page,
  find,
  changes,
  // Thirty days, less a margin for clocks and the overlap.
  reachMs: 29 * DAY_MS,
  notices,
}
