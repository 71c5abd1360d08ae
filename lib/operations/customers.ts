import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { findByWords } from '@/db/queries/find'
import {
  customerName,
  joinCustomer,
  lockCustomers,
  lockJoined,
  separateCustomer,
  similarCustomers,
} from '@/db/queries/join-customers'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { wordsIn } from '@/lib/knowledge/find/words'
import { defineOperation } from './define'

/** The most customers of one name that are looked at. */
const MOST_NAMED = 10

const CustomerId = z.string().max(60)
const Moved = z.object({ projects: z.int().describe('Projects that have another customer now') })

const OTHER = 'cus_01jb2w9q8h4m6n2p5r7s9t1v3y'

const none = () => new ServiceError('not_found', 'There is no customer with this id. Nothing was changed.')

/** Finds customers who may be the same person as one, and those that were joined to it. */
export const findSimilarCustomers = defineOperation({
  name: 'find_similar_customers',
  title: 'Customers who may be the same person',
  description: 'Customers with the same email, phone or name as one, and those that a person joined to it.',
  access: 'admin',
  effect: 'read',
  input: z.object({ customer: CustomerId }).strict(),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
        address: z.string().nullable(),
        joined: z.boolean(),
      }),
    ),
  }),
  example: {
    items: [{ id: OTHER, name: 'Ida Moss', email: null, phone: '+16155550141', address: '4 Elm St', joined: false }],
  },
  run: async ({ actor }, { customer }) => {
    const db = await database()
    const { contractorId } = actor
    const name = await customerName(db.orm, contractorId, customer)
    if (name === undefined) throw none()
    const words = wordsIn(name).map((word) => [word])
    const named =
      words.length > 1 ? await findByWords(db, 'customer', contractorId, [{ words, open: false }], MOST_NAMED) : []
    return { items: await similarCustomers(db.orm, contractorId, customer, named) }
  },
})

/** Joins a customer to another, as one person who is known to two programs. */
export const joinCustomers = defineOperation({
  name: 'join_customers',
  title: 'Join two customers',
  description:
    'Makes one customer of two: the projects of the second, with all that belongs to them, become those of the first, and so does what later files and leads bring for it.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      customer: CustomerId.describe('The one that stays'),
      other: CustomerId.describe('The one that joins it'),
    })
    .strict(),
  output: Moved,
  example: { projects: 2 },
  run: async ({ actor }, { customer, other }) => {
    if (customer === other) throw new ServiceError('bad_request', 'This is one customer. Choose two.')
    const by = personOf(actor)
    const { contractorId } = by
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      await lockCustomers(orm, contractorId)
      const found = await lockJoined(orm, contractorId, [customer, other])
      const [first, second] = [found.get(customer), found.get(other)]
      if (!first || !second) throw none()
      if (first.joinedTo !== null || second.joinedTo !== null)
        throw new ServiceError(
          'conflict',
          'One of them was joined to a customer already. Separate it first. Nothing was changed.',
        )
      const moved = await joinCustomer(orm, contractorId, other, customer)
      await audit(orm, by, { event: 'customers_joined', subject: first.name, detail: { customer, other, ...moved } })
      return moved
    })
  },
})

/** Separates a customer from the one that it was joined to. */
export const separateCustomers = defineOperation({
  name: 'separate_customers',
  title: 'Separate two customers',
  description:
    'Undoes a joining: the customer is one of its own again, with the projects that it had then. What files brought for it since stays with the other.',
  access: 'admin',
  effect: 'write',
  input: z.object({ other: CustomerId.describe('The one that was joined') }).strict(),
  output: Moved,
  example: { projects: 2 },
  run: async ({ actor }, { other }) => {
    const by = personOf(actor)
    const { contractorId } = by
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      await lockCustomers(orm, contractorId)
      const one = (await lockJoined(orm, contractorId, [other])).get(other)
      if (!one || one.joinedTo === null) throw none()
      const moved = await separateCustomer(orm, contractorId, other)
      await audit(orm, by, { event: 'customers_separated', subject: one.name, detail: { other, ...moved } })
      return moved
    })
  },
})
