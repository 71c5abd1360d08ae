import { bigint, boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { contractors } from './contractors'

/** People who sign in to the portal. Tables and columns are those better-auth asks for, under names of ours. */
export const people = pgTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  /** Whether the owner of the address is known to hold the account: they used a link or password that the operator handed to them. */
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  twoFactorEnabled: boolean('two_factor_enabled').default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

const personId = () =>
  text('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Where someone is signed in. The cookie is the token signed with a secret that is not in the database. */
export const personSessions = pgTable(
  'person_sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: personId(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('person_sessions_person').on(t.userId)],
)

/** How someone signs in: here a password, as a salted scrypt hash. */
export const personAccounts = pgTable(
  'person_accounts',
  {
    id: text('id').primaryKey(),
    userId: personId(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('person_accounts_person').on(t.userId)],
)

/** What is waited for between two steps of a sign-in. */
export const personVerifications = pgTable(
  'person_verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('person_verifications_identifier').on(t.identifier)],
)

/** The second factor: the secret of an authenticator app and the backup codes, both encrypted. */
export const personTwoFactors = pgTable(
  'person_two_factors',
  {
    id: text('id').primaryKey(),
    userId: personId(),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').default(true),
    failedVerificationCount: integer('failed_verification_count').default(0),
    lockedUntil: moment('locked_until'),
  },
  (t) => [index('person_two_factors_person').on(t.userId)],
)

/**
 * Passkeys: public keys whose private half stays with the person's device or password manager. `lastUsedAt` is ours; sign-in writes it.
 */
export const personPasskeys = pgTable(
  'person_passkeys',
  {
    id: text('id').primaryKey(),
    userId: personId(),
    name: text('name'),
    credentialID: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    // Up to 2^32 - 1, which `integer` does not hold.
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: moment('created_at').defaultNow(),
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [index('person_passkeys_person').on(t.userId)],
)

const role = () => text('role', { enum: ['admin', 'developer', 'viewer'] }).notNull()

const contractorId = () =>
  text('contractor_id')
    .notNull()
    .references(() => contractors.id)

/** Which contractors a person serves, and as what. */
export const members = pgTable(
  'members',
  {
    contractorId: contractorId(),
    personId: personId(),
    role: role(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.personId, t.contractorId] }), index('members_contractor').on(t.contractorId)],
)

/** Links that make whoever opens them a member. Only the hash of a link's token is kept. */
export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    contractorId: contractorId(),
    email: text('email').notNull(),
    role: role(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The administrator who invited; null for the operator, whose link proves the address. */
    invitedBy: text('invited_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    acceptedAt: moment('accepted_at'),
    withdrawnAt: moment('withdrawn_at'),
  },
  (t) => [index('invitations_contractor').on(t.contractorId, t.createdAt)],
)
