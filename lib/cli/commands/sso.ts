import type { Command } from 'commander'
import { database } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { getSso, removeSso, requireSso } from '@/lib/operations/sso/sso'
import { requireContractor } from '../contractor'
import { type Io, writeJson } from '../io'

type Options = { contractor: string; json?: boolean }

async function context({ contractor }: Options) {
  const { id, name } = await requireContractor(await database(), contractor)
  return { name, ctx: { actor: operatorFor(id), now: new Date() } }
}

async function show(io: Io, options: Options): Promise<void> {
  const { name, ctx } = await context(options)
  const found = await execute(getSso, ctx, {})
  if (options.json) return writeJson(io, found)
  const { provider, signInUrl } = found
  if (!provider) return io.out(`${name} has no single sign-on.\n`)
  const { issuer, domains, required } = provider
  io.out(`${issuer} for ${domains.join(', ')}, ${required ? 'required' : 'optional'}. People sign in at ${signInUrl}\n`)
}

/** Adds `sso show|optional|remove`. */
export function ssoCommands(program: Command, io: Io): void {
  const sso = program.command('sso').description('single sign-on of a contractor: show, optional, remove')
  sso
    .command('show')
    .description('the identity provider of a contractor')
    .requiredOption('--contractor <id or slug>')
    .option('--json', 'as JSON')
    .action((options: Options) => show(io, options))
  sso
    .command('optional')
    .description('let the team in with passwords again, when the provider fails')
    .requiredOption('--contractor <id or slug>')
    .action(async (options: Options) => {
      const { name, ctx } = await context(options)
      await execute(requireSso, ctx, { required: false })
      io.err(`The team of ${name} can sign in with passwords and passkeys again.\n`)
    })
  sso
    .command('remove')
    .description('remove the provider and end its sessions')
    .requiredOption('--contractor <id or slug>')
    .action(async (options: Options) => {
      const { name, ctx } = await context(options)
      await execute(removeSso, ctx, {})
      io.err(`${name} has no single sign-on any more.\n`)
    })
}
