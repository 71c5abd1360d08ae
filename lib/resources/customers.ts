import { z } from 'zod'
import { users } from '@/db/schema'
import { defineResource } from './define'
import { Instant } from './fields'

/** Home-owners with at least one project of the contractor. */
export const customers = defineResource({
  name: 'customers',
  singular: 'customer',
  scope: 'read:customers',
  table: users,
  only: 'owns_project',
  output: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().optional(),
    phone: z.string().optional().describe('E.164'),
    createdAt: Instant.optional(),
    updatedAt: Instant.optional(),
  }),
  columns: {
    id: users.id,
    name: users.name,
    email: users.email,
    phone: users.phone,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  },
  filters: {},
  pagesWithoutTokens: false,
  example: {
    id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    name: 'Dana Whitfield',
    email: 'dana.whitfield@example.com',
    phone: '+16155550142',
    createdAt: '2025-03-04T00:00:00.000Z',
    updatedAt: '2026-10-12T15:04:05.123Z',
  },
})
