import * as z from 'zod'
import { readingOf } from '@/lib/leads/read'
import { receive } from '@/lib/leads/receive'
import { LeadSubmission } from '@/lib/leads/submission'
import { defineOperation } from './define'
import {
  CREATED,
  Created,
  Duplicate,
  duplicateAnswer,
  MAX_BYTES,
  originOf,
  storeRefusedDelivery,
} from './lead-delivery'

/** `POST /api/webhooks/leads/inbound` (specification 4.3): a lead in our own words. */
export const createLead = defineOperation({
  name: 'create_lead',
  title: 'Submit a lead',
  description:
    'Takes a lead, which becomes a project in status `lead` for a customer matched by email or phone, or a new one. Sent again with the same `externalId` it creates nothing and gives the same project, so it is safe to repeat after any failure.',
  access: 'write:leads',
  effect: 'write',
  limit: 'leads',
  input: LeadSubmission,
  output: z.union([Created, Duplicate]),
  example: CREATED,
  http: {
    method: 'POST',
    path: '/api/webhooks/leads/inbound',
    at: 'root',
    body: 'json',
    types: ['application/json'],
    maxBytes: MAX_BYTES,
    bodyExample: {
      firstName: 'Ana',
      lastName: 'Lopez',
      phone: '(615) 555-0142',
      leadSource: 'Google Ads',
      externalId: 'form-1001',
    },
    answers: { 200: duplicateAnswer, 201: { description: 'A project was created', schema: Created, example: CREATED } },
    statusOf: (result) => ('duplicate' in Object(result) ? 200 : 201),
  },
  onRefused: storeRefusedDelivery,
  tool: {
    category: 'leads',
    description:
      'Records a new lead (an inquiry by a home-owner) as a project in status lead, for a known customer or a new one. Give an externalId when there is one: the same externalId never makes a second project. Only call it when the user asks for a lead to be recorded.',
    example: {
      firstName: 'Ana',
      lastName: 'Lopez',
      phone: '(615) 555-0142',
      leadSource: 'Referral',
      externalId: 'call-2026-11-20-1',
    },
  },
  run: async (ctx, lead) => {
    const receipt = await receive(originOf(ctx, lead), readingOf(lead))
    if ('jobNumber' in receipt || 'duplicate' in receipt) return receipt
    throw new Error('the specification’s webhook has neither tests nor other events')
  },
})
