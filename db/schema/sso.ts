import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ROLES } from '../../lib/core/roles'
import { moment } from './columns'
import { contractors } from './contractors'
import { people } from './people'

const contractorId = () =>
  text('contractor_id')
    .notNull()
    .references(() => contractors.id)

/** A contractor's own identity provider (OpenID Connect), through which its people may sign in. */
export const ssoProviders = pgTable('sso_providers', {
  contractorId: contractorId().primaryKey(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** The client's secret (lib/core/seal.ts). */
  sealedSecret: text('sealed_secret').notNull(),
  /** The domains of the email addresses that it may sign in. */
  domains: text('domains').array().notNull(),
  /** What becomes of people who are not invited: they are refused, or join with this role. */
  joinRole: text('join_role', { enum: ROLES }),
  /** Whether the team reaches this contractor only through it. */
  required: boolean('required').notNull().default(false),
  /** When somebody last signed in through it as it is set now; null until then. */
  provenAt: moment('proven_at'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

/** Whom a provider means by a subject: linked at the first sign-in, by an address it had verified. */
export const ssoIdentities = pgTable(
  'sso_identities',
  {
    contractorId: contractorId(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'sso_identities_pk', columns: [t.contractorId, t.issuer, t.subject] }),
    index('sso_identities_person').on(t.personId),
  ],
)
