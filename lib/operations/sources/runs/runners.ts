import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import type { Source } from '@/db/queries/sources'
import { env } from '@/lib/core/env'
import type { Connecting } from '@/lib/core/public-request'
import { type Fetched, type Fetching, SourceProblem } from '@/lib/load/fetch/fetched'
import { fetchFolder } from '@/lib/load/fetch/folder'
import { fetchLink } from '@/lib/load/fetch/link'
import { type SourceSecret, unsealSourceSecret } from '@/lib/load/fetch/secrets'
import { fetchMail } from './fetch-mail'
import { type Runner, SecretLost } from './result'
import { runFiles } from './run-files'

/**
 * The settings for reaching sources: how names are resolved, which certificates are trusted, and how long files must stand still; tests use
 * their own servers.
 */
export type Reaching = { connecting?: Connecting; stillMs?: number }

type Fetch = (source: Source, fetching: Fetching, reaching: Reaching) => Promise<Fetched>

const byFiles =
  (files: Fetch) =>
  (reaching: Reaching): Runner =>
  async (source, running) =>
    await runFiles(source, await files(source, { ...running, seen: source.seen }, reaching), running)

/** @throws SecretLost when it cannot be read any more */
function secretOf({ secret }: Source): SourceSecret {
  const found = secret === null ? {} : unsealSourceSecret(secret)
  if (found) return found
  throw new SecretLost()
}

/** @throws SourceProblem on a server that watches no folders */
async function watched({ contractorId, settings: { path = '' } }: Source) {
  const { sourcesFolder: root, vercel } = env()
  const contractor = await findContractor((await database()).orm, contractorId)
  if (root === undefined || vercel !== undefined || !contractor)
    throw new SourceProblem(
      'This server watches no folders: its operator sets SOURCES_FOLDER on a machine of their own.',
    )
  return { root, slug: contractor.slug, path }
}

/**
 * The runners of each kind of source. A kind that brings records in another way than by files has a runner of its own; the schedule, the
 * lease, the log of runs, backing off and alerts are the same for all.
 */
export const RUNNERS: Record<Source['kind'], (reaching: Reaching) => Runner> = {
  folder: byFiles(async (source, fetching, { stillMs }) => fetchFolder(await watched(source), fetching, stillMs)),
  sftp: byFiles(async (source, fetching, { connecting }) => {
    // With it comes the SSH library, which no other kind needs.
    const { fetchSftp } = await import('@/lib/load/fetch/sftp')
    const { host = '', port, user = '', path = '.', hostKey } = source.settings
    const server = { host, port: Number(port ?? 22), user, path, hostKey }
    return await fetchSftp(server, secretOf(source), fetching, connecting)
  }),
  link: byFiles(({ settings }, fetching, { connecting }) =>
    fetchLink({ url: settings.url ?? '' }, fetching, connecting),
  ),
  mail: byFiles((source, fetching) => fetchMail(source, fetching)),
}
