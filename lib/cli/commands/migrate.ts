import type { Command } from 'commander'
import { database } from '@/db/client'
import type { Io } from '../io'

/** Adds `migrate`. */
export function migrateCommand(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('migrate the database to this version, as a starting server does')
    .action(async () => {
      // Opening the database migrates it: one process at a time, the others wait and find it done.
      await database()
      io.out('The database has all migrations of this version.\n')
    })
}
