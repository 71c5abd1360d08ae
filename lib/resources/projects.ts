import { z } from 'zod'
import { projects as table } from '@/db/schema'
import { defineResource } from './define'
import { Amount, FilterId, Instant } from './fields'

/** A project's life, in its usual order; also held by a check constraint. */
export const ProjectStatus = z.enum([
  'lead',
  'estimate',
  'scheduled',
  'in_progress',
  'on_hold',
  'completed',
  'cancelled',
])

/** Jobs, from lead to completion. */
export const projects = defineResource({
  name: 'projects',
  singular: 'project',
  scope: 'read:projects',
  table,
  output: z.object({
    id: z.string(),
    contractorId: z.string(),
    customerId: z.string(),
    name: z.string(),
    status: ProjectStatus,
    totalAmount: Amount.describe('Contract sum in the contractor’s currency, to the cent'),
    createdAt: Instant,
    updatedAt: Instant,
  }),
  columns: {
    id: table.id,
    contractorId: table.contractorId,
    customerId: table.customerId,
    name: table.name,
    status: table.status,
    totalAmount: table.totalAmount,
    createdAt: table.createdAt,
    updatedAt: table.updatedAt,
  },
  filters: {
    status: { column: table.status, operator: '=', schema: ProjectStatus.describe('Only projects in this status') },
    customerId: {
      column: table.customerId,
      operator: '=',
      schema: FilterId.describe('Only projects of this customer'),
    },
  },
  pagesWithoutTokens: true,
  example: {
    id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
    contractorId: 'con_01jb2w7n6d8f0h2k4m6p8r0t2v',
    customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    name: 'Re-roof, architectural shingle, 28 sq',
    status: 'in_progress',
    totalAmount: 18450.75,
    createdAt: '2026-08-02T00:00:00.000Z',
    updatedAt: '2026-10-12T15:04:05.123Z',
  },
})
