import { expect, test } from 'vitest'
import { type Actor, operatorFor } from '@/lib/auth/actor'
import { scopesOfRole } from '@/lib/auth/roles'
import { SCOPES } from '@/lib/auth/scopes'
import { ROLES } from '@/lib/core/roles'
import { type AnyOperation, scopesOf } from './define'
import { execute } from './execute'
import { operations } from './registry'

const contractorId = 'con_of_a_test'
const address = '203.0.113.9'
const key = { kind: 'key', keyId: 'key_1', lineage: 'key_1', contractorId } as const
const person = {
  kind: 'person',
  personId: 'psn_1',
  name: 'Ana',
  email: 'ana@example.com',
  contractorId,
  address,
  provenAt: null,
} as const
const [admin, developer, viewer] = ROLES.map((role): Actor => ({ ...person, role, scopes: scopesOfRole(role) }))

const ACTORS: Record<string, Actor | undefined> = {
  admin,
  developer,
  viewer,
  operator: operatorFor(contractorId),
  'a key with every scope': { ...key, scopes: new Set(SCOPES) },
  'a key without a scope': { ...key, scopes: new Set() },
  'who was invited': {
    kind: 'invited',
    contractorId,
    email: 'b@example.com',
    tokenHash: '',
    scopes: new Set(),
    address,
  },
}

const PEOPLE_WITH_ROLE = ['operator', 'admin', 'developer', 'viewer'] as const

/** Lists again who may run each operation, independently of the executor. */
function allowed({ access }: AnyOperation): string[] {
  switch (access) {
    case 'public':
      return Object.keys(ACTORS)
    case 'any_key':
      return Object.keys(ACTORS).filter((who) => who !== 'who was invited')
    case 'operator':
      return ['operator']
    case 'admin':
      return ['operator', 'admin']
    case 'developer':
      return ['operator', 'admin', 'developer']
    case 'account':
      return ['admin', 'developer', 'viewer']
    case 'invited':
      return ['who was invited']
    default: {
      const entries = ['write:notes', 'write:tasks']
      const writes = [access].flat().some((scope) => scope.startsWith('write:') && !entries.includes(scope))
      const people = writes ? ['operator', 'admin'] : PEOPLE_WITH_ROLE
      return [...people, 'a key with every scope']
    }
  }
}

/** The error that ends a call which passed the access check. */
class LetThrough extends Error {}

const cases = Object.values<AnyOperation>(operations).flatMap((operation) =>
  Object.entries(ACTORS).map(([who, actor]) => ({ name: operation.name, who, actor, operation })),
)

test.each(cases)('$name by $who', async ({ operation, who, actor }) => {
  const read = () => {
    throw new LetThrough()
  }
  const attempt = execute(operation, { actor, now: new Date() }, read, 'text')
  if (allowed(operation).includes(who)) await expect(attempt).rejects.toBeInstanceOf(LetThrough)
  else await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
})

const needed = Object.values<AnyOperation>(operations).flatMap((operation) =>
  scopesOf(operation).map((scope) => ({ name: operation.name, scope, operation })),
)

test.each(needed)('$name by a key that lacks $scope alone', async ({ operation, scope }) => {
  const actor: Actor = { ...key, scopes: new Set(SCOPES.filter((each) => each !== scope)) }
  const attempt = execute(operation, { actor, now: new Date() }, () => ({ values: {}, whole: 'input' }), 'text')
  await expect(attempt).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining(scope) })
})

test('whatever changes something is for a role, a scope or one kind of person', () => {
  const writes = Object.values<AnyOperation>(operations).filter(({ effect }) => effect === 'write')
  expect(writes.filter(({ access }) => access === 'public' || access === 'any_key').map(({ name }) => name)).toEqual([])
})

test('nothing that is not public runs on nobody’s behalf', async () => {
  for (const operation of Object.values<AnyOperation>(operations).filter(({ access }) => access !== 'public'))
    await expect(
      execute(operation, { now: new Date() }, () => ({ values: {}, whole: 'input' }), 'text'),
      operation.name,
    ).rejects.toThrow('on nobody')
})
