import { randomBytes } from 'node:crypto'
import type { Database } from '@/db/client'
import { type Contractor, insertContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { newId } from '@/lib/core/ids'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { toResponse } from '@/lib/http/answer'
import { serviceRequest } from '@/lib/http/request'
import { loadFolder } from '@/lib/load/load'
import type { LoadOptions } from '@/lib/load/report'
import { RESOURCES } from '@/lib/resources/registry'
import { findRoute } from './answer-of'
import { inFolder, sampleFile } from './folder'

let caller = 0

/** An answer as tests look at it. */
export type Called = { status: number; headers: Headers; body: ReturnType<typeof JSON.parse>; text: string }

/** Calls the service's own handler for a path, each time from another address so that limits do not interfere. */
export async function call(
  path: string,
  options: {
    key?: string
    headers?: Record<string, string>
    method?: string
    address?: string
    body?: string | Uint8Array<ArrayBuffer>
  } = {},
): Promise<Called> {
  const url = new URL(path, 'http://localhost')
  const answer = await findRoute(url.pathname)
  if (!answer) throw new Error(`no endpoint at ${path}`)
  caller++
  const address = options.address ?? `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`
  const headers = new Headers({ [ADDRESS_HEADER]: address, ...options.headers })
  if (options.key) headers.set('x-api-key', options.key)
  const request = new Request(url, { method: options.method ?? 'GET', headers, body: options.body ?? null })
  const response = toResponse(await answer(serviceRequest(request)))
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** Returns what sends GETs with a key, for clients that follow the feed. */
export const askAs =
  (key: string) =>
  (path: string): Promise<Called> =>
    call(path, { key })

/** Creates a contractor for one test. */
export async function makeTenant(db: Database, name = 'Test Roofing') {
  const contractor: Contractor | undefined = await insertContractor(db.orm, {
    id: newId('contractor'),
    slug: `test-${randomBytes(6).toString('hex')}`,
    name,
  })
  if (!contractor) throw new Error('the slug is random, so it is free')
  const operator = operatorFor(contractor.id)
  return {
    contractor,
    operator,
    key: async (scopes: readonly Scope[] = PRESETS.integration.scopes) =>
      createKey(db.orm, contractor, { name: 'test', scopes }, operator),
    load: (files: Record<string, string>, options: LoadOptions = {}) => loadFiles(db, contractor, files, options),
  }
}

/** Loads CSV texts as files of a folder. */
export async function loadFiles(
  db: Database,
  contractor: Contractor,
  files: Record<string, string>,
  options: LoadOptions = {},
) {
  return await inFolder(files, (folder) => loadFolder(db, contractor, folder, options))
}

/** Returns small, complete books: `count` customers with a project and one record of each other resource. */
export function sampleBooks(count: number, mark = ''): Record<string, string> {
  const lines = (header: string, line: (i: number) => string) =>
    [header, ...Array.from({ length: count }, (_, i) => line(i))].join('\n')
  const rows = Array.from({ length: count }, (_, i) => ({
    reference: `R${i}${mark}`,
    customer: `C${i}`,
    project: `P${i}`,
    amount: `${i + 1}.45`,
  }))
  return {
    ...Object.fromEntries(RESOURCES.map((resource) => [resource.csv.file, sampleFile(resource, rows)])),
    'customers.csv': lines('Customer ID,Name,Email', (i) => `C${i},Customer ${i}${mark},c${i}${mark}@example.com`),
    'projects.csv': lines(
      'Project ID,Customer ID,Name,Status,Total Amount',
      (i) => `P${i},C${i},Project ${i}${mark},in_progress,$${i + 1}.10`,
    ),
    'invoices.csv': lines(
      'Invoice Number,Project ID,Amount,Date,Due Date',
      (i) => `I${i}${mark},P${i},${i + 1}.25,2024-01-05,2024-02-05`,
    ),
    'payments.csv': lines(
      'Payment ID,Project ID,Amount,Date,Method,Reference',
      (i) => `T${i},P${i},${i + 1}.05,2024-01-09,check,ref-${i}${mark}`,
    ),
    'estimates.csv': lines(
      'Estimate Number,Customer ID,Project ID,Amount,Date,Valid Until,Status',
      (i) => `E${i}${mark},C${i},P${i},${i + 1}.35,2023-12-01,2023-12-31,sent`,
    ),
  }
}
