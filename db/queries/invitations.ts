import { and, desc, eq, exists, getTableColumns, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { ROLE_FOR, rolesWith } from '@/lib/core/roles'
import type { Orm } from '../client'
import { contractors, invitations, members, outgoingMessages, people } from '../schema'

export type Invitation = typeof invitations.$inferSelect

/** Reports whether someone has already joined a contractor through an invitation to this address. */
export async function hasJoined(orm: Orm, contractorId: string, email: string): Promise<boolean> {
  const [found] = await orm
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(eq(invitations.contractorId, contractorId), eq(invitations.email, email), isNotNull(invitations.acceptedAt)),
    )
    .limit(1)
  return found !== undefined
}

export async function insertInvitation(orm: Orm, invitation: typeof invitations.$inferInsert): Promise<void> {
  await orm.insert(invitations).values(invitation)
}

/** An invitation is open while it is unused, not expired, and its sender may still invite. */
const isOpen = (orm: Orm) =>
  and(
    isNull(invitations.acceptedAt),
    isNull(invitations.withdrawnAt),
    gt(invitations.expiresAt, sql`now()`),
    or(
      isNull(invitations.invitedBy),
      exists(
        orm
          .select({ one: sql`1` })
          .from(members)
          .where(
            and(
              eq(members.contractorId, invitations.contractorId),
              eq(members.personId, invitations.invitedBy),
              inArray(members.role, rolesWith(ROLE_FOR.invitations)),
            ),
          ),
      ),
    ),
  )

/** Returns a contractor's open invitations, newest first, with what became of the email of each. */
export async function openInvitations(orm: Orm, contractorId: string) {
  return await orm
    .select({
      ...getTableColumns(invitations),
      mailedAt: outgoingMessages.sentAt,
      mailFailedAt: outgoingMessages.failedAt,
    })
    .from(invitations)
    .leftJoin(outgoingMessages, eq(outgoingMessages.id, invitations.messageId))
    .where(and(eq(invitations.contractorId, contractorId), isOpen(orm)))
    .orderBy(desc(invitations.createdAt))
}

/** Returns an open invitation for its email, with who sent it: undefined when another email has taken this one's place. */
export async function findMailedInvitation(orm: Orm, id: string, messageId: string) {
  const [found] = await orm
    .select({
      email: invitations.email,
      expiresAt: invitations.expiresAt,
      contractor: contractors.name,
      inviter: people.email,
    })
    .from(invitations)
    .innerJoin(contractors, eq(contractors.id, invitations.contractorId))
    .leftJoin(people, eq(people.id, invitations.invitedBy))
    .where(and(eq(invitations.id, id), eq(invitations.messageId, messageId), isOpen(orm)))
  return found
}

/**
 * Returns the open invitation that a link's token belongs to, with the contractor's name, and whether the link came by email. Locks it
 * when `lock` is set.
 */
export async function findInvitation(orm: Orm, tokenHash: string, { lock = false } = {}) {
  const query = orm
    .select({ invitation: invitations, contractor: contractors.name })
    .from(invitations)
    .innerJoin(contractors, eq(contractors.id, invitations.contractorId))
    .where(and(or(eq(invitations.tokenHash, tokenHash), eq(invitations.mailTokenHash, tokenHash)), isOpen(orm)))
  const [found] = await (lock ? query.for('update', { of: invitations }) : query)
  return found && { ...found, isMailed: found.invitation.mailTokenHash === tokenHash }
}

/** Returns a contractor's open invitation to an address, locked until the transaction ends. */
export async function lockInvitationTo(orm: Orm, contractorId: string, email: string): Promise<Invitation | undefined> {
  const [invitation] = await orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.contractorId, contractorId), eq(invitations.email, email), isOpen(orm)))
    .for('update', { of: invitations })
  return invitation
}

/** Puts a new email in the place of an invitation's last one; only the new one's link works. */
export async function mailInvitation(
  orm: Orm,
  { id, contractorId }: Pick<Invitation, 'id' | 'contractorId'>,
  mail: Pick<Invitation, 'messageId' | 'mailTokenHash' | 'expiresAt'>,
): Promise<Invitation | undefined> {
  const [mailed] = await orm
    .update(invitations)
    .set(mail)
    .where(and(eq(invitations.id, id), eq(invitations.contractorId, contractorId), isOpen(orm)))
    .returning()
  return mailed
}

/** Marks an invitation as accepted. */
export async function closeInvitation(orm: Orm, id: string): Promise<void> {
  await orm.update(invitations).set({ acceptedAt: sql`now()` }).where(eq(invitations.id, id))
}

/** Selects invitations: one by id, those to an address, or those a person sent, for one contractor or all. */
export type InvitationsOf =
  | { contractorId: string; id: string }
  | { contractorId: string; email: string }
  | { contractorId?: string; invitedBy: string }

/** Withdraws invitations that nobody has accepted. @returns the addresses they were sent to, with their contractors */
export async function withdrawInvitations(
  orm: Orm,
  of: InvitationsOf,
): Promise<Pick<Invitation, 'contractorId' | 'email'>[]> {
  return await orm
    .update(invitations)
    .set({ withdrawnAt: sql`now()` })
    .where(
      and(
        isNull(invitations.acceptedAt),
        isNull(invitations.withdrawnAt),
        of.contractorId === undefined ? undefined : eq(invitations.contractorId, of.contractorId),
        'id' in of ? eq(invitations.id, of.id) : undefined,
        'email' in of ? eq(invitations.email, of.email) : undefined,
        'invitedBy' in of ? eq(invitations.invitedBy, of.invitedBy) : undefined,
      ),
    )
    .returning({ contractorId: invitations.contractorId, email: invitations.email })
}
