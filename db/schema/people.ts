import { bigint, boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ROLES } from '../../lib/core/roles'
import { moment } from './columns'
import { contractors, ofContractor } from './contractors'

/** The ways in which a signed-in person proves that it is them. */
export const PROOFS = ['password', 'authenticator', 'backup code', 'passkey', 'single sign-on'] as const
export type Proof = (typeof PROOFS)[number]

/** People who sign in to the portal. Tables and columns are the ones better-auth needs, under our names. */
export const people = pgTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  /** True when the person proved that the address is theirs by using a link or password that the operator gave them. */
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  twoFactorEnabled: boolean('two_factor_enabled').default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

/** The person that a row belongs to; it goes with them. */
export const ofPerson = () =>
  text('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Sign-in sessions. The cookie is the token, signed with a secret that is not in the database. */
export const personSessions = pgTable(
  'person_sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: ofPerson(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /**
     * The only contractor that a session reaches, for one begun by that contractor's single sign-on. It grants nothing on the account
     * itself.
     */
    onlyContractor: text('only_contractor').references(() => contractors.id),
    /** The time and method of the person's last proof that it is them: at sign-in, or when they were asked again. */
    provenAt: moment('proven_at'),
    provenBy: text('proven_by', { enum: PROOFS }),
  },
  (t) => [index('person_sessions_person').on(t.userId)],
)

/** Sign-in methods: a password, as a salted scrypt hash. */
export const personAccounts = pgTable(
  'person_accounts',
  {
    id: text('id').primaryKey(),
    userId: ofPerson(),
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

/** The state kept between two steps of a sign-in. */
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
    userId: ofPerson(),
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
    userId: ofPerson(),
    name: text('name'),
    credentialID: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    // Up to 2^32 - 1, which does not fit an `integer`.
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

const role = () => text('role', { enum: ROLES }).notNull()

/** The contractors that a person works for, and the role in each. */
export const members = pgTable(
  'members',
  {
    contractorId: ofContractor(),
    personId: ofPerson(),
    role: role(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.personId, t.contractorId] }), index('members_contractor').on(t.contractorId)],
)

/** Invitation links that make a person a member. Only the hash of a link's token is stored. */
export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    email: text('email').notNull(),
    role: role(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The same for the link in the email, which only the invited address got, so that it also confirms the address. */
    mailTokenHash: text('mail_token_hash').unique(),
    /** The email that carries it, in `outgoing_messages`. */
    messageId: text('message_id'),
    /** The administrator who sent it; null for an operator, whose link also confirms the address. */
    invitedBy: text('invited_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    acceptedAt: moment('accepted_at'),
    withdrawnAt: moment('withdrawn_at'),
  },
  (t) => [index('invitations_contractor').on(t.contractorId, t.createdAt)],
)
