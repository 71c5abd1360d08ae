import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ROLES } from '../../lib/core/roles'
import { moment } from './columns'
import { ofContractor } from './contractors'
import { ofPerson } from './people'

/** A contractor's own identity provider (OpenID Connect), through which its people may sign in. */
export const ssoProviders = pgTable('sso_providers', {
  contractorId: ofContractor().primaryKey(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** The client's secret (lib/core/seal.ts). */
  sealedSecret: text('sealed_secret').notNull(),
  /** The domains of the email addresses that it may sign in. */
  domains: text('domains').array().notNull(),
  /** The role with which people who are not invited join; null when they are refused. */
  joinRole: text('join_role', { enum: ROLES }),
  /** True when the team reaches this contractor only through it. */
  required: boolean('required').notNull().default(false),
  /** The time when somebody last signed in through it as it is set now; null until then. */
  provenAt: moment('proven_at'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

/** The people that a provider means by its subjects: linked at the first sign-in, by an address it had verified. */
export const ssoIdentities = pgTable(
  'sso_identities',
  {
    contractorId: ofContractor(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    personId: ofPerson(),
    createdAt: moment('created_at').notNull().defaultNow(),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'sso_identities_pk', columns: [t.contractorId, t.issuer, t.subject] }),
    index('sso_identities_person').on(t.personId),
  ],
)
