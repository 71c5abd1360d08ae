import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { ROLES } from '@/lib/core/roles'
import { defineOperation } from '../define'

/**
 * Loads the settings with the first of these operations: they bring the libraries for OpenID Connect and sign-in, which no API request
 * needs.
 */
const settings = () => import('@/lib/auth/sso/settings')

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain such as example.com')

const Provider = z.object({
  issuer: z.string(),
  clientId: z.string(),
  domains: z.array(z.string()),
  joinRole: z.enum(ROLES).nullable().describe('The role of people who were not invited; null where they are refused'),
  required: z.boolean().describe('Whether passwords no longer reach this contractor'),
  provenAt: z.date().nullable().describe('When somebody last signed in through it as it is set'),
})

const Settings = z.object({
  provider: Provider.nullable(),
  breakGlass: z.object({ name: z.string(), email: z.string() }).nullable().describe('Who may still use a password'),
  signInUrl: z.string(),
  redirectUri: z.string(),
})

/** A contractor's own identity provider. */
export const getSso = defineOperation({
  name: 'get_sso',
  title: 'Single sign-on',
  description: 'The contractor’s identity provider, without its secret, and the two addresses that go with it.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: Settings,
  example: {
    provider: {
      issuer: 'https://login.example.com',
      clientId: 'plumbline',
      domains: ['example.com'],
      joinRole: null,
      required: false,
      provenAt: null,
    },
    breakGlass: { name: 'Ana Ruiz', email: 'ana@example.com' },
    signInUrl: 'https://portal.example.com/sign-in/sso/harpeth-roofing',
    redirectUri: 'https://portal.example.com/sign-in/sso/harpeth-roofing/callback',
  },
  run: async ({ actor: { contractorId } }) => await (await settings()).ssoSettings(contractorId),
})

/** Sets the provider. */
export const setSso = defineOperation({
  name: 'set_sso',
  title: 'Set single sign-on',
  description:
    'Sets the OpenID Connect provider that people of the contractor may sign in with, after reading its discovery document.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z
    .object({
      issuer: z.string().trim().min(1, 'is required').max(300),
      clientId: z.string().trim().min(1, 'is required').max(300),
      clientSecret: z.string().trim().min(1).max(500).optional().describe('The stored one when left out'),
      domains: z.array(Domain).min(1, 'needs at least one domain').max(20),
      joinRole: z.enum(ROLES).nullable().default(null),
    })
    .strict(),
  output: z.object({ issuer: z.string() }),
  example: { issuer: 'https://login.example.com' },
  run: async ({ actor }, given) => {
    const { setSso: set } = await settings()
    await set(personOf(actor), given)
    return { issuer: given.issuer }
  },
})

/** Requires the provider, or no longer. */
export const requireSso = defineOperation({
  name: 'require_sso',
  title: 'Require single sign-on',
  description:
    'Sets whether the team reaches the contractor only through single sign-on. The administrator who has been a member longest can still use a password.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ required: z.boolean() }).strict(),
  output: z.object({ required: z.boolean() }),
  example: { required: true },
  run: async ({ actor }, { required }) => {
    const { requireSso: set } = await settings()
    await set(personOf(actor), required)
    return { required }
  },
})

/** Removes the provider. */
export const removeSso = defineOperation({
  name: 'remove_sso',
  title: 'Remove single sign-on',
  description:
    'Removes the contractor’s identity provider. Its sessions end, and passwords reach the contractor again.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({}).strict(),
  output: z.object({}),
  example: {},
  run: async ({ actor }) => {
    const { removeSso: remove } = await settings()
    await remove(personOf(actor))
    return {}
  },
})
