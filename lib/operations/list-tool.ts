import { z } from 'zod'
import type { ToolBinding } from './define'
import { INCREMENTAL } from './list-input'

const TOOL_LIMIT = { error: 'must be a whole number from 1 to 25' }

/** The arguments of a list as a tool: short pages, and no contractor to name, as the key has one. */
const toolInput = (filters: Record<string, z.ZodType>) =>
  z
    .object({
      limit: z.int(TOOL_LIMIT).min(1, TOOL_LIMIT).max(25, TOOL_LIMIT).default(10).describe('Items per page'),
      ...INCREMENTAL,
      ...filters,
    })
    .strict()

const TOOL_TEXTS: Record<
  string,
  { category: 'customers' | 'projects' | 'finance'; description: string; untrusted?: string[] }
> = {
  customers: {
    category: 'customers',
    description:
      'The people this contractor works for: name, e-mail, phone. Least recently updated first, 10 at a time; go on with pageToken. For one customer with their projects use get_record.',
    untrusted: ['name', 'email'],
  },
  projects: {
    category: 'projects',
    description:
      'Jobs from lead to completion: name, status, contract amount, customer. Filter by status (lead, estimate, scheduled, in_progress, on_hold, completed, cancelled) or customerId. For the money of one project use get_project_financials.',
    untrusted: ['name'],
  },
  invoices: {
    category: 'finance',
    description:
      'Invoices with amount, dates and status (paid, overdue, current, future). Filter by status, customerId, projectId or invoice date. For totals by age use get_receivables_aging instead of adding up pages.',
  },
  payments: {
    category: 'finance',
    description:
      'Payments received, with amount, date, method and reference. Filter by customerId, projectId or date. For totals by week or month use get_cash_flow instead of adding up pages.',
    untrusted: ['reference'],
  },
}

/** A list as a tool; `filters` are the resource's own. */
export const listTool = (resource: string, filters: Record<string, z.ZodType>): ToolBinding => ({
  ...(TOOL_TEXTS[resource] ?? { category: 'projects' }),
  example: { limit: 5 },
  input: toolInput(filters),
})
