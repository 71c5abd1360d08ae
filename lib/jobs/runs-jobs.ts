import { env } from '@/lib/core/env'

/** Reports whether this process runs the jobs that one process per machine runs, such as pruning: the only process, or the first worker. */
export const runsJobs = (): boolean => (env().workerSlot ?? 1) === 1
