import type { Command } from 'commander'
import { runRetention } from '@/lib/maintenance/retention'
import { type Io, writeJson, writeTable } from '../io'

async function run(io: Io, { dryRun, json }: { dryRun?: boolean; json?: boolean }): Promise<void> {
  const report = await runRetention({ dryRun })
  if (json) return writeJson(io, report)
  writeTable(
    io,
    ['KIND', dryRun ? 'TO REMOVE' : 'REMOVED'],
    Object.entries(report.removed).map(([kind, n]) => [kind, String(n)]),
  )
}

/** Adds `retention run [--dry-run]`. */
export function retentionCommands(program: Command, io: Io): void {
  program
    .command('retention')
    .description('data with a retention period')
    .command('run')
    .description('delete data past its retention period; the server does so every hour, on Vercel a scheduler')
    .option('--dry-run', 'count only')
    .option('--json', 'as JSON')
    .action((options) => run(io, options))
}
