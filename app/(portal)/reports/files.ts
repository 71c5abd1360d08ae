import { cashFile } from './cash/table'
import type { ReportFile } from './file'
import { jobsFile } from './jobs/table'
import { leadsFile } from './leads/table'
import { openInvoicesFile } from './open-invoices/table'
import { revenueFile } from './revenue/table'
import { unbilledFile } from './unbilled-work/table'
import { whoOwesFile } from './who-owes/table'

/** The files of reports by the last part of their page's path. */
export const FILES: Record<string, ReportFile> = {
  'who-owes': whoOwesFile,
  'open-invoices': openInvoicesFile,
  cash: cashFile,
  revenue: revenueFile,
  jobs: jobsFile,
  leads: leadsFile,
  'unbilled-work': unbilledFile,
}
