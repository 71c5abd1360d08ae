import { expect } from 'vitest'
import type * as z from 'zod'
import type { Actor, KeyActor } from '@/lib/auth/actor'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import type { Operation } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'

/** An actor with a contractor's key, with all read scopes unless given otherwise. */
export function actorOf(contractor: { id: string }, scopes: readonly Scope[] = PRESETS.agent.scopes): KeyActor {
  return {
    kind: 'key',
    keyId: 'key_of_a_test',
    lineage: 'key_of_a_test',
    contractorId: contractor.id,
    scopes: new Set(scopes),
  }
}

/**
 * Returns an operation's answer, checked on the way in and out, and its text, which must not contain a field that the output schema
 * lacks.
 */
export async function answerOf<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  { actor, now, input }: { actor: Actor; now: Date; input: z.input<I> },
): Promise<{ answer: z.output<O>; text: string }> {
  const answer = await execute(operation, { actor, now }, input)
  const { text } = await execute(operation, { actor, now }, () => ({ values: input, whole: 'input' }), 'text')
  expect(JSON.parse(text)).toEqual(answer)
  return { answer, text }
}
