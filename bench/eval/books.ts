import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type SQL, sql } from 'drizzle-orm'
import { type Database, rows, shareDatabase } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { SCOPES } from '@/lib/auth/scopes'
import { prepareDemo } from '@/lib/cli/demo'
import { provideSecrets } from '@/lib/cli/demo-file'
import { env } from '@/lib/core/env'
import { fetchInProcess } from '@/lib/testing/answer-of'

/** The demonstration contractor that is asked about. */
const WHO = 'cumberland-roofing'

/** A schema in a list of tools, as far as anything here reads it. */
export type Schema = {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly string[]
  pattern?: string
  minimum?: number
  maximum?: number
}

/** A tool as `tools/list` shows it: all that an agent knows. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: Schema
  outputSchema: Schema
  readOnly: boolean
}

/** The result of a call: the text a model reads, and the same as data. */
export type Called = { text: string; data: unknown; isError: boolean }

/** A connected client of the MCP server. */
export type Agent = {
  tools: readonly ListedTool[]
  call(name: string, args: Record<string, unknown>): Promise<Called>
  close(): Promise<void>
}

/** The books of the demonstration: SQL for what is true, a client for what can be asked. */
export type Books = {
  contractorId: string
  /** The day it is for the contractor, by whose days the tools count. */
  today: string
  read<Row extends Record<string, unknown>>(query: SQL): Promise<Row[]>
  connect(): Promise<Agent>
}

async function connectTo(
  url: string,
  key: string,
  fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<Agent> {
  const client = new Client({ name: 'evaluation', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), fetch ? { requestInit, fetch } : { requestInit }),
  )
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name, title = name, description = '', inputSchema, outputSchema = {}, annotations }) => ({
      name,
      title,
      description,
      inputSchema: JSON.parse(JSON.stringify(inputSchema)),
      outputSchema: JSON.parse(JSON.stringify(outputSchema)),
      readOnly: annotations?.readOnlyHint === true,
    })),
    async call(name, args) {
      try {
        const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
        const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
        return { text, data: structuredContent, isError }
      } catch (fault) {
        // An error of the protocol is an answer too, and ends no evaluation.
        return { text: fault instanceof Error ? fault.message : 'the call failed', data: undefined, isError: true }
      }
    },
    close: () => client.close(),
  }
}

/** Settings of an evaluation: pages can be continued, and no limit stands in the way. */
export function prepareSettings(dataDir: string): void {
  process.env.PLUMBLINE_DATA_DIR = dataDir
  process.env.REQUEST_LOG_DAYS = '0'
  for (const limit of ['RATE_LIMIT_MCP', 'RATE_LIMIT_RAG']) process.env[limit] = '1000000'
  provideSecrets(dataDir)
}

/** Loads the demonstration into an empty database and opens its books. */
export async function openBooks(db: Database): Promise<Books> {
  shareDatabase(db)
  await prepareDemo(env())
  const contractor = await findContractor(db.orm, WHO)
  if (!contractor) throw new Error(`the demonstration has no ${WHO}`)
  const { text: key } = await createKey(
    db.orm,
    contractor,
    { name: 'evaluation', scopes: SCOPES },
    operatorFor(contractor.id),
  )
  const [clock] = await rows<{ today: string }>(
    db.orm,
    sql`select (now() at time zone timezone)::date::text as today from contractors where id = ${contractor.id}`,
  )
  return {
    contractorId: contractor.id,
    today: clock?.today ?? '',
    read: (query) => rows(db.orm, query),
    connect: () => connectTo('http://localhost/mcp', key, fetchInProcess()),
  }
}

/** A directory for the demonstration's files; `remove` deletes it. */
export function makeDataDir(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-eval-'))
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}
