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

/** `retention run [--dry-run]` */
export function retentionCommands(program: Command, io: Io): void {
  program
    .command('retention')
    .description('what is kept for a time only')
    .command('run')
    .description('remove what has had its time; the server does it by itself every hour, on Vercel a scheduler')
    .option('--dry-run', 'count only')
    .option('--json', 'as JSON')
    .action((options) => run(io, options))
}
