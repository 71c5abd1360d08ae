import { runSources } from '@/lib/operations/sources/runs/worker'

// A process of its own that runs what is due, as a server does; started by killed.db.test.ts with how far its clock is ahead.
const ahead = Number(process.argv[2])
await runSources({ clock: () => new Date(Date.now() + ahead) })
process.exit()
