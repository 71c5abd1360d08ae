import type { Command } from 'commander'
import { database } from '@/db/client'
import { migrationLevel } from '@/db/queries/backup/catalog'
import type { Io } from '../io'

/** `migrate` */
export function migrateCommand(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version, as the first opening by a server does too')
    .action(async () => {
      // Opening the database migrates it: one process at a time, the others wait and find it done.
      const { migrations } = await migrationLevel((await database()).orm)
      io.out(`The database has all ${migrations} migrations of this version.\n`)
    })
}
