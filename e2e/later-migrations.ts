import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns the migrations of a later version: the current ones, plus one that only adds (docs/deploy.md has the rule). */
export function laterMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-later-'))
  cpSync('db/migrations', folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  journal.entries.push({
    idx: journal.entries.length,
    version: '7',
    // Drizzle runs only what is later than the last one, whatever the clock of this machine says.
    when: Math.max(...journal.entries.map((entry: { when: number }) => entry.when)) + 1,
    tag: '9999_later',
    breakpoints: true,
  })
  writeFileSync(path, JSON.stringify(journal))
  const statements = [
    'alter table projects add column later_note text',
    'alter table analytics_invoice_records add column later_flag boolean not null default false',
    'create table later_things (id text primary key, project_id text references projects (id))',
    'create index later_projects on projects (contractor_id, later_note)',
  ]
  writeFileSync(join(folder, '9999_later.sql'), statements.join(';\n--> statement-breakpoint\n'))
  return folder
}
