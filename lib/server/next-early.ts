import { compileEarly } from '@/db/drivers/pglite-code'

// Other threads compile while this one loads the rest.
compileEarly()
const [{ bootNext }, { failStart }] = await Promise.all([import('@/lib/server/boot'), import('@/lib/server/start')])

/** Resolves once the service is up under `next start`. A start that fails ends the process, as under `server.ts`. */
export const booted: Promise<void> = bootNext().catch(failStart)
