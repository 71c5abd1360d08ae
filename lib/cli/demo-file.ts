import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { makePrivate } from '@/db/client'
import { baseUrls, type Env } from '@/lib/core/env'

const DemoFile = z.object({
  portalUrl: z.string(),
  dataApiUrl: z.string(),
  mcpUrl: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }).nullable(),
  contractors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      keys: z.object({
        integration: z.string(),
        leadSource: z.string(),
        agent: z.string(),
        // A file of an earlier version has none.
        assistant: z.string().optional(),
      }),
    }),
  ),
})

/** The data that a person or a script needs to use the demonstration; stored in `<data dir>/demo.json`, readable by its owner only. */
export type DemoFile = z.infer<typeof DemoFile>

const secretsPath = (dataDir: string) => join(dataDir, 'secrets.json')
const demoPath = (dataDir: string) => join(dataDir, 'demo.json')

function writePrivate(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  // The mode above is only that of a new file.
  chmodSync(path, 0o600)
}

/** The demonstration's file, or undefined when it is missing or unreadable. */
export function readDemoFile(dataDir: string): DemoFile | undefined {
  if (!existsSync(demoPath(dataDir))) return undefined
  try {
    return DemoFile.safeParse(JSON.parse(readFileSync(demoPath(dataDir), 'utf8'))).data
  } catch {
    return undefined
  }
}

export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  writePrivate(demoPath(dataDir), demo)
}

/** The URLs the demonstration shows, from the settings. */
export function demoUrls(settings: Env): Pick<DemoFile, 'portalUrl' | 'dataApiUrl' | 'mcpUrl'> {
  const urls = baseUrls(settings)
  return { portalUrl: urls.portal, dataApiUrl: urls.api, mcpUrl: urls.mcp }
}

const Secrets = z.object({
  EXTERNAL_API_TOKEN_SECRET: z.string().min(32).optional(),
  BETTER_AUTH_SECRET: z.string().min(32).optional(),
})

/** Returns the secrets that the demonstration generated in a data directory; empty when there are none. */
export function readSecrets(dataDir: string): z.infer<typeof Secrets> {
  const path = secretsPath(dataDir)
  return existsSync(path) ? Secrets.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
}

/**
 * Fills in secrets the environment does not set; they are generated once and stored in `<data dir>/secrets.json` (mode 0600). Email is
 * written to files.
 */
export function provideSecrets(dataDir: string, target: NodeJS.ProcessEnv = process.env): void {
  makePrivate(dataDir)
  const kept = readSecrets(dataDir)
  const secret = () => randomBytes(48).toString('base64url')
  const secrets = {
    EXTERNAL_API_TOKEN_SECRET: kept.EXTERNAL_API_TOKEN_SECRET ?? secret(),
    BETTER_AUTH_SECRET: kept.BETTER_AUTH_SECRET ?? secret(),
  }
  if (Object.keys(kept).length < Object.keys(secrets).length) writePrivate(secretsPath(dataDir), secrets)
  target.EXTERNAL_API_TOKEN_SECRET ||= secrets.EXTERNAL_API_TOKEN_SECRET
  target.BETTER_AUTH_SECRET ||= secrets.BETTER_AUTH_SECRET
  target.MAIL_OUTBOX ||= 'on'
}
