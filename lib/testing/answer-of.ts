import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import type * as z from 'zod'
import type { Actor, KeyActor } from '@/lib/auth/actor'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { endWithRequest, toResponse } from '@/lib/http/answer'
import { serviceRequest } from '@/lib/http/request'
import type { Operation } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { type RouteFiles, routeTable } from '@/lib/server/route-table'

const app = resolve(import.meta.dirname, '../../app')

/** The route files of `app/`, named as a build names them. */
export const routeFiles: RouteFiles = Object.fromEntries(
  readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)route\.ts$/.test(path))
    .map((path) => [`/${path.slice(0, -3)}`, () => import(/* @vite-ignore */ join(app, path))]),
)

/** Finds what answers a path, as the one-machine server does. */
export const findRoute = routeTable(routeFiles)

/** The service itself behind `fetch`, streams included: the handlers the server mounts, without a port. */
export function fetchInProcess(): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await findRoute(new URL(url).pathname)
    if (!answer) throw new Error(`no endpoint at ${url}`)
    const headers = new Headers(init?.headers)
    headers.set(ADDRESS_HEADER, '127.0.0.1')
    const request = new Request(url, { ...init, headers })
    const reply = await answer(serviceRequest(request))
    if (reply.stream) endWithRequest(request, reply.stream)
    return toResponse(reply)
  }
}

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
