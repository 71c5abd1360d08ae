import type { Command } from 'commander'
import { database } from '@/db/client'
import { migrationLevel } from '@/db/queries/backup/catalog'
import type { Io } from '../io'

/** `migrate` */
export function migrateCommand(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('migrate the database to this version, as a starting server does')
    .action(async () => {
      // Opening the database migrates it: one process at a time, the others wait and find it done.
      const { migrations } = await migrationLevel((await database()).orm)
      io.out(`The database has all ${migrations} migrations of this version.\n`)
    })
}
