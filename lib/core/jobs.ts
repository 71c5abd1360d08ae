import { env } from './env'

/** Whether this process does what is done once per machine: pruning, and filling in what is missing. Of several workers the first does. */
export const runsJobs = (): boolean => (env().workerSlot ?? 1) === 1
